import type { Exchange, ExchangeMessage } from '../core/index.ts'
import { requestOverhead } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { rehydrateTool } from './rehydrate-tool.ts'

/** What a request costs beside its items: framing, and our own tool where it is offered. The client's tools are items. */
export function overheadTokens(exchange: Exchange, info: ModelInfo, offersTool: boolean): number {
  const { name, description, schema: parameters } = rehydrateTool
  const tools = exchange.tools.length > 0 ? [{ name, description, parameters }] : []
  const shape = { model: exchange.model, messages: exchange.messages.map(messageShape), tools }
  const { fixed, perMessage, perTool } = requestOverhead(shape, info)
  const framing = perMessage.reduce((total, tokens) => total + tokens, fixed)
  return framing + (offersTool ? (perTool[0] ?? 0) : 0)
}

function messageShape({ role, name }: ExchangeMessage): { role: string; name?: string } {
  return { role, ...(name !== undefined && { name }) }
}
