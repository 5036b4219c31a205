import type { MessagePort } from 'node:worker_threads'
import type { StoreCore } from '../../rows/store-core.ts'

export type CoreMethod = keyof StoreCore

/** One call of the core, as it crosses to the store's thread. */
export interface CoreCall {
  readonly id: number
  readonly method: CoreMethod
  readonly given: readonly unknown[]
}

/** Its answer: JSON, which is read faster than a clone of what it says is made; or why there is none. */
export interface CoreAnswer {
  readonly id: number
  readonly json?: string | undefined
  readonly reason?: string
}

/** What the thread itself tells: that its database is open or cannot be opened, that another process holds its lock, and that its file was replaced. */
export type ThreadNews =
  | { readonly kind: 'open'; readonly tightened: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'replaced' }

/** What the thread itself is told: to serve one more port, or to let go of everything. */
export type ThreadOrder = { readonly kind: 'serve'; readonly port: MessagePort } | { readonly kind: 'close' }
