import type { Conversation, Message } from '../core/index.ts'
import { requestOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { rehydrateTool } from './rehydrate-tool.ts'

/** What a request costs beside its items: framing, and our own tool where it is offered. The client's tools are items. */
export function overheadTokens(conversation: Conversation, info: ModelInfo, offersTool: boolean): number {
  const { name, description, schema: parameters } = rehydrateTool
  const tools = conversation.tools.length > 0 ? [{ name, description, parameters }] : []
  const shape = {
    model: conversation.model,
    messages: conversation.messages.map(messageShape),
    tools,
  }
  const { fixed, perMessage, perTool } = requestOverhead(shape, info)
  const framing = perMessage.reduce((total, tokens) => total + tokens, fixed)
  return framing + (offersTool ? (perTool[0] ?? 0) : 0)
}

function messageShape({ role, name }: Message): { role: string; name?: string } {
  return { role, ...(name !== undefined && { name }) }
}
