import type { Conversation } from '../core/index.ts'
import { conversationOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

/** What a request costs beside its items: framing, and our own tools where they are offered. The client's tools are items. */
export function overheadTokens(conversation: Conversation, info: ModelInfo, offered: readonly HiddenTool[]): number {
  const addedTools = offered.map(({ definition }) => definition)
  return conversationOverhead({ ...conversation, addedTools }, info)
}

export interface OwnOverhead {
  readonly conversation: Conversation
  /** As the client has sent it. */
  readonly client: Conversation
  readonly info: ModelInfo
  readonly offered: readonly HiddenTool[]
}

/** The part of that which the client's own request would not cost. */
export function ownOverheadTokens({ conversation, client, info, offered }: OwnOverhead): number {
  const isSame = conversation.messages.length === client.messages.length
  // Where its messages are the same they need not be counted again.
  const [all, own] = isSame ? [bare(conversation), bare(conversation)] : [conversation, client]
  return overheadTokens(all, info, offered) - overheadTokens(own, info, [])
}

/** What tools would add to that which the request does not offer yet. */
export function offerTokens(
  { conversation, info, offered }: Omit<OwnOverhead, 'client'>,
  ifNeeded: readonly HiddenTool[],
): number {
  const own = bare(conversation)
  return overheadTokens(own, info, [...offered, ...ifNeeded]) - overheadTokens(own, info, offered)
}

function bare(conversation: Conversation): Conversation {
  return { ...conversation, messages: [], items: [] }
}
