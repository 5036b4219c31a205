import type { WireExchange } from '../core/index.ts'

/** The same request as one of another of its models: what it says stays as it came. */
export function withModel(exchange: WireExchange, model: string | undefined): WireExchange {
  const { conversation } = exchange
  const isOther = model !== undefined && model !== conversation.model && conversation.models?.includes(model) === true
  return isOther ? { ...exchange, conversation: { ...conversation, model } } : exchange
}
