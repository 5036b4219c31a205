import type { Conversation, MediaContent, ToolCall, ToolDefinition } from '../../core/index.ts'
import type { LearntTools } from '../../tools/index.ts'
import type { Meanings } from '../meanings/meanings.ts'
import type { Fetched, Original } from '../../stores/index.ts'
import type { HostedTool, HostedTools } from '../catalogue/hosted-tools.ts'
import type { CallContext, RequestContext } from '../call-context.ts'

/** What was left out of the session that a tool is called in, within reach. */
export interface ToolArchive {
  /** What a handle brings back. Rejects when it cannot be read just now. */
  original(handle: string): Promise<Original | undefined>
  /** What was left out of the session so far, and of no other, and says some of the words, the best first. Rejects likewise. */
  originals(words: string): Promise<readonly Original[]>
  /** Characters of the longest answer that fits. */
  readonly maxChars: number
}

/** What a hidden tool is told of a call. The room is that of this call; calls of one reply share what there is. */
export interface ToolContext extends CallContext, ToolArchive {
  /** Functions of the client that the model has to find. */
  readonly unlisted: readonly ToolDefinition[]
  /** What is learnt of their use. */
  readonly learnt?: LearntTools
  /** Tools of the host that the model may find beside them, by the names that they have in this conversation, and what runs them. */
  readonly hosted: readonly HostedTool[]
  readonly host?: HostedTools
  /** Vectors of all of them and of what is looked for; none where absent. */
  readonly meanings?: Meanings
}

/** What a hidden tool is told of the session that may come to offer it. */
export interface OfferContext extends RequestContext {
  readonly conversation: Conversation
}

/** The answer of a hidden tool. */
export interface ToolAnswer {
  readonly text: string
  /** Whether the tool had what was asked for. */
  readonly found: boolean
  /** Whether the text says why the call failed. */
  readonly isError?: boolean
  /** Shown beside the text, where the dialect can. */
  readonly media?: MediaContent
  /** Names of the client's tools that it has found. A provider that knows their definitions is told to show them. */
  readonly references?: readonly string[]
  /** What it has brought back of what was left out. */
  readonly fetched?: readonly Fetched[]
}

/** A tool that we offer beside the client's, whose calls we answer and the client never sees. A value; never changes. */
export interface HiddenTool {
  readonly definition: ToolDefinition
  /** Brings back what a pack shortens, so that a pack may shorten. Its answers keep to the room by themselves. */
  readonly bringsBack?: boolean
  /** Finds tools of the client. It stands in requests that leave some of them to be found, and in no others. */
  readonly findsTools?: boolean
  /** Gets the arguments as the model wrote them. By default a tool gets what layers have masked in its own words again. */
  readonly takesMasked?: boolean
  /** It ends each call in time by itself, whatever calls of other tools may take. */
  readonly boundsTime?: boolean
  /** What the model reads where a call fails or takes too long. By default an error that names the tool. */
  readonly failureText?: string
  /**
   * Whether a session offers the tool; every session does where absent. Asked whenever the list of tools may change at no cost: with the first
   * request of a conversation, and when its cache is cold. Until then the answer stands. Must say the same for the same request, at once.
   */
  offer?(context: OfferContext): boolean
  /**
   * Whatever was asked, the model gets words that it can act on. Calls of one reply are answered at the same time. What rejects or is late is
   * answered by an error, and what is longer than the room is shortened.
   */
  answer(call: ToolCall, context: ToolContext): Promise<ToolAnswer>
}
