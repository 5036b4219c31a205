import type { Conversation, ToolDefinition } from './conversation.ts'
import type { Item } from './item.ts'
import type { Pack } from './pack.ts'
import type { Wire } from './wire.ts'

/** One request: its bytes, and what they say. */
export interface WireExchange {
  readonly wire: Wire
  readonly conversation: Conversation
}

/** The tool that brings back what a pack left out; its calls never reach the client. */
export const rehydrateToolName = 'rehydrate'

/** Messages that belong after the message `afterId` and that the client never saw: our own tool calls and results. */
export interface HiddenMessages {
  readonly afterId: string
  /** Raw JSON texts of whole messages in the dialect. */
  readonly messages: readonly string[]
}

/** What the model is to see of an exchange. `encode` copies the bytes of whatever it shows as the wire has it. */
export interface EncodeView {
  /** Shows every item as the conversation has it when absent. */
  readonly pack?: Pack
  /** Items of the pack that the conversation does not hold. */
  readonly items?: readonly Item[]
  /** Tools of ours; calls of them never reach the client. */
  readonly hiddenTools?: readonly ToolDefinition[]
  readonly hidden?: readonly HiddenMessages[]
  /** What was made of media that the pack shows so, by item, as `data:` URLs: it stands in the place of the original, and its words beside it. */
  readonly made?: ReadonlyMap<string, string>
}
