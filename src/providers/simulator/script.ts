import type { JsonValue } from '../../core/index.ts'
import type { SimulatedRequest } from './record.ts'

/** A piece of an answer, in the order in which the model writes it. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly redacted?: boolean }
  | { readonly type: 'tool-call'; readonly name: string; readonly arguments: JsonValue; readonly id?: string }

/** What goes wrong. `afterChunks` counts pieces of the answer that still arrive; absent, nothing does. */
export type Fault =
  | {
      readonly kind: 'error'
      readonly status: number
      readonly message?: string
      readonly type?: string
      readonly code?: string
      readonly retryAfterSeconds?: number
    }
  | { readonly kind: 'stream-error'; readonly afterChunks: number; readonly status?: number; readonly message?: string }
  | { readonly kind: 'connection-death'; readonly afterChunks?: number }
  | { readonly kind: 'hang'; readonly afterChunks?: number }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'truncated-tool-json' }

/** An answer that the simulated provider gives, and how it fails or how fast it comes. */
export interface ScriptedAnswer {
  /** The whole answer, in order; or use `thinking`, `text` and `toolCalls`. */
  readonly parts?: readonly AnswerPart[]
  readonly thinking?: string
  readonly text?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonValue; readonly id?: string }[]
  readonly fault?: Fault
  readonly firstByteMs?: number
  readonly tokensPerSecond?: number
}

/** A text is an answer that says it. */
export type ScriptEntry = string | ScriptedAnswer

/**
 * Answers in the order of the requests that ask for one; when a list is used up, or a function returns undefined, the
 * request is echoed.
 */
export type Script = readonly ScriptEntry[] | ((request: SimulatedRequest, turn: number) => ScriptEntry | undefined)

export function scriptEntry(script: Script, request: SimulatedRequest, turn: number): ScriptEntry | undefined {
  return typeof script === 'function' ? script(request, turn) : script[turn]
}

export function answerOf(entry: ScriptEntry): ScriptedAnswer & { readonly parts: readonly AnswerPart[] } {
  if (typeof entry === 'string') return { parts: [{ type: 'text', text: entry }] }
  if (entry.parts !== undefined) return { ...entry, parts: entry.parts }
  return {
    ...entry,
    parts: [
      ...(entry.thinking === undefined ? [] : [{ type: 'thinking' as const, text: entry.thinking }]),
      ...(entry.text === undefined ? [] : [{ type: 'text' as const, text: entry.text }]),
      ...(entry.toolCalls ?? []).map((call) => ({ type: 'tool-call' as const, ...call })),
    ],
  }
}
