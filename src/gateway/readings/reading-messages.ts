import type { MessagePort } from 'node:worker_threads'
import type { SentError } from '../../core/index.ts'
import type { ReadingQuestion } from './reading.ts'

/** What the thread is told. */
export type ReadingOrder =
  | { readonly kind: 'store'; readonly port: MessagePort }
  | { readonly kind: 'read'; readonly id: number; readonly question: ReadingQuestion }

/** What the thread tells: that it is loaded, an answer's bytes, or why there is none. */
export type ReadingNews =
  | { readonly kind: 'begun' }
  | { readonly kind: 'read'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
