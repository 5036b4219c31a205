import { itemTokens } from '../../core/index.ts'
import type { Conversation } from '../../core/index.ts'
import { wholeUsd } from '../../stores/index.ts'
import type { ExchangeCost } from '../../stores/index.ts'
import { conversationOverhead, priceOf, tokenizerFor } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { ReplyEnd } from '../outlet/reply.ts'

/**
 * What an exchange cost that no provider has answered: nothing, against what its answer says a provider's would have taken. An
 * answer that does not say so saves nothing that is known. Undefined for a request that was refused.
 */
export function unsentCost(
  catalogue: ModelCatalogue,
  conversation: Conversation,
  { status, unpaid }: Pick<ReplyEnd, 'status' | 'unpaid'>,
): ExchangeCost | undefined {
  if (status >= 400) return undefined
  const info = catalogue.info(conversation.model)
  // In some dialects an answer says something was used whatever it knows.
  const stated = unpaid && unpaid.inputTokens > 0 ? unpaid : undefined
  const tokens = { inputTokens: 0, passThroughTokens: stated?.inputTokens ?? tokensOf(catalogue, conversation) }
  const saved = priceOf(stated ?? { inputTokens: 0, outputTokens: 0 }, info)
  if (saved === undefined) return tokens
  const usd = wholeUsd(saved)
  return { ...tokens, usd: 0, passThroughUsd: usd, clientUsd: usd }
}

/** By our own count. */
export function tokensOf(catalogue: ModelCatalogue, conversation: Conversation): number {
  const { model, items } = conversation
  const tokenizer = tokenizerFor(model, catalogue)
  const total = items.reduce((sum, item) => sum + itemTokens(tokenizer, item), 0)
  return total + conversationOverhead(conversation, catalogue.info(model))
}
