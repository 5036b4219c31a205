import type { Conversation } from '../core/index.ts'
import { conversationOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

/** What a request costs beside its items: framing, and our own tools where they are offered. The client's tools are items. */
export function overheadTokens(conversation: Conversation, info: ModelInfo, offered: readonly HiddenTool[]): number {
  const addedTools = offered.map(({ definition }) => definition)
  return conversationOverhead({ ...conversation, addedTools }, info)
}
