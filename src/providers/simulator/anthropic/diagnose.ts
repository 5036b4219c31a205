import type { JsonObject } from '../../../core/index.ts'
import type { RememberedRequest, RenderedRequest, SimulatedCall } from '../dialect.ts'
import { isJsonObject } from '../../../core/index.ts'
import { textOf } from '../read-json.ts'

/** Answers the `diagnostics` of a request; null when there was nothing to explain. */
export function diagnose(
  rendered: RenderedRequest,
  { body, model }: SimulatedCall,
  remembered: (id: string) => RememberedRequest | undefined,
): JsonObject | null {
  const asked = body['diagnostics']
  if (!isJsonObject(asked)) return null
  const previous = textOf(asked['previous_message_id'])
  const now = { model: model.id, rendered }
  return { cache_miss_reason: previous === undefined ? null : missReason(remembered(previous), now) }
}

function missReason(previous: RememberedRequest | undefined, now: RememberedRequest): JsonObject | null {
  if (previous === undefined) return { type: 'previous_message_not_found' }
  const before = previous.rendered
  if (previous.model !== now.model) return { type: 'model_changed', cache_missed_input_tokens: before.tokens }
  const changed = before.blocks.findIndex((block, index) => block.hash !== now.rendered.blocks[index]?.hash)
  if (changed < 0) return null
  const missed = before.blocks.slice(changed).reduce((sum, block) => sum + block.tokens, 0)
  return { type: `${before.tiers?.[changed] ?? 'messages'}_changed`, cache_missed_input_tokens: missed }
}
