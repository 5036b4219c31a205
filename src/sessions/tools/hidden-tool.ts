import type { MediaContent, ToolCall, ToolDefinition } from '../../core/index.ts'
import type { Fetched, Original } from '../../stores/index.ts'

/** What a hidden tool sees of the session that it is called in. */
export interface ToolSession {
  /** What a handle brings back. Rejects when it cannot be read just now. */
  original(handle: string): Promise<Original | undefined>
  /** All that was left out of the session so far, and of no other. Rejects likewise. */
  originals(): Promise<readonly Original[]>
  /** Longer answers do not fit. */
  readonly maxChars: number
  /** What media may take of the window, where it is known. */
  readonly roomTokens?: number
}

export interface ToolAnswer {
  readonly text: string
  /** Whether the tool had what was asked for. */
  readonly found: boolean
  /** Shown beside the text, where the dialect can. */
  readonly media?: MediaContent
  /** What it has brought back of what was left out. */
  readonly fetched?: readonly Fetched[]
}

/** A tool that we offer beside the client's, whose calls we answer and the client never sees. A value; never changes. */
export interface HiddenTool {
  readonly definition: ToolDefinition
  /** Brings back what a pack shortens, so that a pack may shorten. */
  readonly bringsBack?: boolean
  /** Whatever was asked, the model gets words that it can act on. What rejects is answered by an apology. */
  answer(call: ToolCall, session: ToolSession): Promise<ToolAnswer>
}
