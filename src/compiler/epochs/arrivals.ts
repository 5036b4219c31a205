import type { PlanContext } from './plan-context.ts'
import { renderFrom, whole } from './render-from.ts'
import type { Rendered } from './render-from.ts'

/**
 * Continues what was sent: new items stand in the cheapest form that loses nothing. Where a cache is read in whole blocks, the first item
 * that gets shorter moves the borders of all blocks behind it, which may cost up to a block in each request to come. On average it costs nothing,
 * but a short session has no average: until some requests have gone by, items stay whole that do not save more than half a block together.
 */
export function continued(context: PlanContext, start: Rendered, chosen: Parameters<typeof renderFrom>[1]): Rendered {
  const { input, options } = context
  const held = renderFrom(start, chosen, options)
  const { blockTokens = 1 } = input.prices
  const { ledger, ownTokens = 0 } = input
  if (blockTokens <= 1 || ownTokens > 0 || (ledger?.turns ?? 0) >= lasting) return held
  const saved = savings(context, held)
  const isNew = (index: number): boolean => chosen[index] === undefined && (saved[index] ?? 0) > 0
  const moved = saved.some((tokens, index) => tokens !== 0 && !isNew(index))
  const isEnough = saved.reduce((sum, tokens) => sum + tokens, 0) > blockTokens / 2
  if (moved || isEnough || !saved.some((tokens) => tokens > 0)) return held
  return renderFrom(
    start,
    chosen.map((shown, index) => shown ?? whole(options, index)),
    options,
  )
}

/** A session of so many requests usually goes on for long enough. */
const lasting = 4

/** Tokens that each item has lost. */
function savings({ input }: PlanContext, { renditions }: Rendered): readonly number[] {
  return renditions.map(({ tokens }, index) => (input.tokens[index] ?? 0) - tokens)
}
