/** One upstream reply that called only our own tool, and what we answered; the client saw its text at most. */
export interface HiddenRound {
  /** Raw JSON of whole messages as they went upstream: the assistant's, then the results'. */
  readonly messages: readonly string[]
  /** The part of the client's message that they replace: leading blocks, and characters of text and of reasoning. */
  readonly visibleBlocks: number
  readonly visibleTextLength: number
  readonly visibleReasoningLength: number
  /** Of what the client saw, where the dialect names that. */
  readonly visibleIds?: readonly string[]
}

/** A call of our own tool that stood beside the client's calls, at its place among the blocks or calls of the message. */
export interface HiddenCall {
  readonly at: number
  readonly raw: string
}

/** What one reply held that the client never saw. Plain data; with it a codec's `restore` puts everything back in place. */
export interface HiddenTurn {
  /** What the client saw, by which its message is found again. */
  readonly visibleText: string
  readonly visibleCallIds: readonly string[]
  /** Of the same calls. */
  readonly visibleCallNames?: readonly string[]
  readonly visibleBlocks: number
  /** The same of what the client saw last. */
  readonly visibleIds?: readonly string[]
  /** What the provider names its replies by, the last one last, where it keeps them. */
  readonly replyIds?: readonly string[]
  /** Assistant messages before it in the client's conversation at the time. */
  readonly assistantIndex: number
  readonly rounds: readonly HiddenRound[]
  /** Calls of a last, mixed reply, and the raw results (blocks or messages) that answer them. */
  readonly calls: readonly HiddenCall[]
  readonly results: readonly string[]
}
