import type { Rendition } from '../../core/index.ts'
import { leastLoss } from './least-loss.ts'
import type { Band, Choice } from './least-loss.ts'
import { leftOutSteps } from './left-out-steps.ts'
import { rerender } from './plan-context.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import type { Tier } from './usual-tiers.ts'

/** What is to be brought into a band, and how far it may be shortened. */
export interface Scope extends Band {
  /** What all of it may take. */
  readonly most: number
  readonly forced: Set<number>
  /** Old turns are only shortened above it. */
  readonly evict: number
  scope(index: number): boolean
}

export const everywhere = (): boolean => true

export function sumOf({ renditions }: Rendered, scope: (index: number) => boolean): number {
  return renditions.reduce((sum, { tokens }, index) => (scope(index) ? sum + tokens : sum), 0)
}

/** References to lines that are hidden now turn into the lines again, so a choice may take another to fit. */
const mostRounds = 3

export function applyTier(
  context: PlanContext,
  shown: Rendered,
  { tier, ...scope }: Scope & { readonly tier: Tier },
): Rendered {
  let rendered = shown
  for (let round = 0; round < mostRounds; round += 1) {
    const used = sumOf(rendered, scope.scope)
    if (used <= scope.high) break
    if (tier.newestSteps !== undefined) {
      const wanted = { excessTokens: used - scope.low, scope: scope.scope, newestSteps: tier.newestSteps }
      return withChoice(context, rendered, { choice: leftOutSteps(context, rendered, wanted), forced: scope.forced })
    }
    const members = tier.members(context, rendered).filter(scope.scope)
    const { policy, outline = false, mustFit = false, rungs } = tier
    const allows = rungs && ((form: Rendition): boolean => rungs.includes(form.rung))
    const problem = { context, rendered, members, policy, usedTokens: used, band: scope, outline, mustFit }
    const chosen = leastLoss({ ...problem, ...(allows && { allows }) })
    if (chosen.size === 0) break
    rendered = withChoice(context, rendered, { choice: chosen, forced: scope.forced })
  }
  return rendered
}

/** Shows the chosen forms, and notes that they were chosen for want of room. */
export function withChoice(
  context: PlanContext,
  shown: Rendered,
  { choice, forced }: { readonly choice: Choice; readonly forced: Set<number> },
): Rendered {
  if (choice.size === 0) return shown
  for (const index of choice.keys()) forced.add(index)
  return rerender(context, shown, Math.min(...choice.keys()), choice)
}
