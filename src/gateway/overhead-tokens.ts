import type { Conversation } from '../core/index.ts'
import { conversationOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { rehydrateTool } from './rehydrate-tool.ts'

/** What a request costs beside its items: framing, and our own tool where it is offered. The client's tools are items. */
export function overheadTokens(conversation: Conversation, info: ModelInfo, offersTool: boolean): number {
  return conversationOverhead({ ...conversation, addedTools: offersTool ? [rehydrateTool] : [] }, info)
}
