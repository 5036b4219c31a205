export const reasoningVisibilities = ['visible', 'summarized', 'opaque', 'none'] as const
/** How much of its reasoning a model shows: all of it, a summary, nothing that can be read, or there is none. */
export type ReasoningVisibility = (typeof reasoningVisibilities)[number]

/** What a piece of reasoning does. */
export const reasoningPhases = ['analysis', 'planning', 'evaluation', 'reflection', 'uncertainty', 'decision'] as const

/** A stretch of a model's reasoning, and what it does there. */
export interface ReasoningPhase {
  readonly type: (typeof reasoningPhases)[number]
  readonly content: string
  /** From 0 to 1: how sure it is that the words are of this kind, told by the words themselves. */
  readonly confidence?: number
}

/** The reasoning of one reply, whatever dialect it came in. */
export interface ReasoningChain {
  /** Whose model it is, as the dialect tells. */
  readonly provider: string
  readonly visibility: ReasoningVisibility
  /** What can be read of it, in order. */
  readonly content?: string
  readonly reasoningTokens?: number
  /** Whether the model has reasoned again after it had begun to speak or to call. */
  readonly interleaved: boolean
  readonly phases: readonly ReasoningPhase[]
  /** The provider's own blocks, raw JSON, as they came: what a next request must carry unchanged. */
  readonly rawBlocks: readonly string[]
}
