import type { Dialect, Policy } from '../../core/index.ts'
import type { StrategyReport } from '../../inspect/index.ts'

/** What a replay is told when it begins. */
export interface ReplayStart {
  /** A, B and so on, in this order. */
  readonly policies: readonly Policy[]
  /** Whose prices and cache rules: by default, those of the model that each session asked for, and the plain rule where they are not known. */
  readonly model?: string | undefined
  readonly windowTokens?: number | undefined
}

/** A request of a session, as it was recorded. */
export interface ReplayedRequest {
  readonly session: string
  readonly lane: string
  readonly requestId: string
  readonly dialect: Dialect
  readonly path?: string | undefined
  readonly body: string
  readonly atMs: number
  /** As its provider reported them; absent where hidden rounds came in between, which a replay does not have. */
  readonly answerTokens?: number | undefined
}

/** What the thread is told: requests in their order, lines of a trace, and that there are no more. */
export type ReplayOrder =
  | { readonly kind: 'request'; readonly request: ReplayedRequest }
  | { readonly kind: 'trace'; readonly text: string }
  | { readonly kind: 'run' }

/** A thread that replays, and does no other work. */
export interface ReplayThread {
  tell(order: ReplayOrder): void
  /** Ends it amid its work. */
  end(): void
}

/** What one way of sending came to for one request; `cost` in plain input tokens. */
export interface ReplayedBill {
  readonly tokens: number
  readonly cachedTokens: number
  readonly cost: number
  /** Why it was sent as it came; null where it was packed. */
  readonly unpacked: string | null
}

/** The shares that are kept of what later steps use: null where there is nothing to be kept. */
export interface ReplayedFigures {
  readonly policy: string
  readonly tokens: number
  readonly cachedTokens: number
  readonly cost: number
  readonly dollars: number | null
  readonly breaks: number
  readonly needleRecall: number | null
  readonly editTextRecall: number | null
  /** With every missing line of a needle brought back. */
  readonly settledCost: number | null
  readonly rehydrations: number | null
  readonly bills: readonly ReplayedBill[]
}

/** One conversation, sent in full and by each policy. */
export interface ReplayedSession {
  readonly session: string
  readonly lane: string
  /** Whose prices and cache rules it was billed by. */
  readonly provider: string
  readonly requestIds: readonly string[]
  readonly passThrough: ReplayedFigures
  readonly policies: readonly ReplayedFigures[]
}

/** What the thread tells. */
export type ReplayNews =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number; readonly session: string }
  | { readonly kind: 'session'; readonly session: ReplayedSession }
  | { readonly kind: 'done'; readonly provider: string; readonly totals: readonly StrategyReport[] }
  | { readonly kind: 'failed'; readonly message: string; readonly field?: string }
