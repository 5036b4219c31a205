import type { Rendition } from '../../core/index.ts'
import { applyTier, sumOf, withChoice } from './apply-tier.ts'
import type { Scope } from './apply-tier.ts'
import { floorTiers, lastTiers, newestReplyTier } from './floor-tiers.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { withSummaries } from './summarised.ts'
import { isUnread, unreadWithin } from './unread-results.ts'

/*
 * What happens only where a request would not fit otherwise: a provider refuses what exceeds its window, and an agent whose request is refused
 * sends the same again.
 */

/** The share of all that unread results, or the newest reply, may take before anything else gives way for them. */
const newestShare = 0.5

/**
 * Where there is more than fits, unread results give way that take more than the rest leaves, and a newest reply that does: a log that is
 * larger than the window has no use for a conversation without a memory, nor has a file that was written in one call.
 */
export function withNewestShort(context: PlanContext, shown: Rendered, goal: Scope): Rendered {
  const { scope, forced, high, most } = goal
  const used = sumOf(shown, scope)
  if (used <= most) return shown
  const unread = isUnread(context.input.items)
  const others = sumOf(shown, (index) => scope(index) && !unread(index))
  const rendered = unreadInto(context, shown, {
    scope,
    forced,
    mostTokens: Math.max(high - others, newestShare * most),
  })
  const tier = newestReplyTier(context)
  const newest = new Set(tier.members(context, rendered))
  const ofNewest = (index: number): boolean => scope(index) && newest.has(index)
  const mostTokens = newestShare * most
  const tokens = sumOf(rendered, ofNewest)
  if (sumOf(rendered, scope) <= most || tokens <= mostTokens) return rendered
  return applyTier(context, rendered, { ...goal, scope: ofNewest, low: 0, high: mostTokens, tier })
}

function unreadInto(
  context: PlanContext,
  shown: Rendered,
  { scope, forced, mostTokens }: Pick<Scope, 'scope' | 'forced'> & { readonly mostTokens: number },
): Rendered {
  const unread = isUnread(context.input.items)
  const counts = (index: number): boolean => scope(index) && unread(index)
  if (sumOf(shown, counts) <= mostTokens) return shown
  const members = Array.from(context.input.items.keys()).filter(counts)
  return withChoice(context, shown, { forced, choice: unreadWithin(context, shown, { members, mostTokens }) })
}

/** Where an unread result was cut, no result before it is shown with more tokens. */
export function withOlderSmaller(context: PlanContext, shown: Rendered, forced: Set<number>): Rendered {
  const { items } = context.input
  const unread = isUnread(items)
  const sizeOf = (index: number): number => shown.renditions[index]?.tokens ?? 0
  const most = Math.min(...Array.from(forced).filter(unread).map(sizeOf))
  const members = items.flatMap(({ kind, pin, frozen }, index) =>
    kind === 'tool-result' && pin !== true && frozen !== true && !unread(index) && sizeOf(index) > most ? [index] : [],
  )
  if (members.length === 0) return shown
  const choice = unreadWithin(context, shown, { members, mostTokens: most * members.length })
  return withChoice(context, shown, { forced, choice })
}

/** What would not fit even so is shortened as far as it can be: last of all what nothing has read, and the first message of the user. */
export function withFloor(context: PlanContext, shown: Rendered, goal: Scope): Rendered {
  const { scope, forced, most } = goal
  const isOver = (rendered: Rendered): boolean => sumOf(rendered, scope) > most
  let rendered = shown
  for (const tier of floorTiers(context))
    if (isOver(rendered)) rendered = applyTier(context, rendered, { ...goal, tier })
  if (isOver(rendered) && context.input.rehydration) rendered = withSummaries(summarising(context), rendered, goal)
  if (isOver(rendered)) {
    const unread = isUnread(context.input.items)
    const others = sumOf(rendered, (index) => scope(index) && !unread(index))
    rendered = unreadInto(context, rendered, { scope, forced, mostTokens: Math.max(goal.high, goal.evict) - others })
  }
  for (const tier of lastTiers(context))
    if (isOver(rendered)) rendered = applyTier(context, rendered, { ...goal, tier })
  return isOver(rendered) ? withoutWords(context, rendered, goal) : rendered
}

/** Last, words of the model are left out, the oldest first, until the rest fits. */
function withoutWords(context: PlanContext, shown: Rendered, { scope, forced, most }: Scope): Rendered {
  const { input, options } = context
  const newest = input.items.findLastIndex(({ role }) => role === 'assistant')
  const choice = new Map<number, Rendition>()
  let excess = sumOf(shown, scope) - most
  for (const [index, item] of input.items.entries()) {
    if (excess <= 0 || index >= newest) break
    const { kind, role, section, pin, frozen, group } = item
    const isOwn = kind === 'text' && role === 'assistant' && section === 'history' && group === undefined
    const mayGo = isOwn && scope(index) && pin !== true && frozen !== true && input.standsWhole?.(index) !== true
    const { rung, tokens = 0 } = shown.renditions[index] ?? {}
    if (!mayGo || rung === 'omitted' || rung === 'summary' || options.dressed(index) !== undefined) continue
    excess -= tokens
    choice.set(index, { rung: 'omitted', text: '', tokens: 0, fidelity: 0 })
  }
  return withChoice(context, shown, { forced, choice })
}

/** Talk of many turns is too long even with one line for each: what is left of the oldest is a summary. */
function summarising(context: PlanContext): PlanContext {
  const { input } = context
  const { policy } = input
  return policy.summaries === undefined
    ? { ...context, input: { ...input, policy: { ...policy, summaries: { mode: 'oneshot' } } } }
    : context
}
