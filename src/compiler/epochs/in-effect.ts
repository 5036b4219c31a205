import { prefixSums, requestCost } from './cache-price.ts'
import { offersNow } from './offers.ts'
import type { PlanContext } from './plan-context.ts'
import type { Proposal } from './propose.ts'
import type { Rendered } from './render-from.ts'
import type { Standing } from './standing.ts'

interface EffectView {
  readonly context: PlanContext
  readonly figures: Standing
}

/** What a proposal brings as it is shown: what referred to lines that have gone is written out. */
export function inEffect(shown: Rendered, from: number, { figures, context: { input } }: EffectView): Proposal {
  const { cachedTokens, readableTokens, totalTokens, holdCost } = figures
  const offers = offersNow(input, shown)
  const overhead = input.overheadTokens + (offers ? (input.offerTokens ?? 0) : 0)
  const total = prefixSums(shown.renditions).at(-1) ?? 0
  const read = offers ? 0 : Math.min(readableTokens(from), cachedTokens) + overhead
  return {
    from,
    saving: totalTokens + input.overheadTokens - total - overhead,
    rewriteCost: requestCost(total + overhead, read, input.prices) - holdCost,
  }
}
