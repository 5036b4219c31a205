import { prefixSums, requestCost } from './cache-price.ts'
import { offersNow } from './offers.ts'
import type { PlanContext } from './plan-context.ts'
import type { Proposal } from './propose.ts'
import type { Rendered } from './render-from.ts'
import { rewritten } from './rewritten.ts'
import type { Standing } from './standing.ts'

interface EffectView {
  readonly context: PlanContext
  readonly figures: Standing
}

/** What a proposal brings as it is shown: what referred to lines that have gone is written out. */
export function inEffect(shown: Rendered, from: number, { figures, context: { input } }: EffectView): Proposal {
  const { cachedTokens, readableTokens, totalTokens, holdCost } = figures
  const { overheadTokens, prices } = input
  const { total, read } = rewritten({
    itemTokens: prefixSums(shown.renditions).at(-1) ?? 0,
    readTokens: Math.min(readableTokens(from), cachedTokens),
    overheadTokens,
    offerTokens: offersNow(input, shown) ? input.offerTokens : undefined,
  })
  return {
    from,
    saving: totalTokens + overheadTokens - total,
    rewriteCost: requestCost(total, read, prices) - holdCost,
  }
}
