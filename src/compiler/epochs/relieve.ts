import type { EpochPolicy, EpochRecord, Rendition } from '../../core/index.ts'
import { eligible } from './eligible.ts'
import type { PlanContext } from './plan-context.ts'
import { rerender } from './plan-context.ts'
import { shorterRenditions } from './propose.ts'
import type { Rendered } from './render-from.ts'

export interface Relieved {
  readonly rendered: Rendered
  readonly fits: boolean
  /** Indexes that were shortened because the window was full. */
  readonly forced: ReadonlySet<number>
  readonly epoch?: EpochRecord
}

type Step = (policy: EpochPolicy) => EpochPolicy

/** How the policy is relaxed, step by step, while the window is too full. */
const steps: readonly Step[] = [
  (policy) => policy,
  (policy) => ({
    ...policy,
    lowestRung: 'line',
    lineWorth: policy.lineWorth * 4,
    callTokens: Math.min(policy.callTokens, 200),
  }),
  (policy) => ({ ...policy, lowestRung: 'line', lineWorth: 1, keepTokens: policy.keepTokens / 4, callTokens: 100 }),
  (policy) => ({
    ...policy,
    lowestRung: 'line',
    lineWorth: 1,
    keepTokens: 0,
    keepFull: 1,
    keepErrors: 1,
    callTokens: 60,
  }),
]

/**
 * Brings a conversation that fills its window too far back below the pressure at which compression is prepared, so that
 * the next requests have room to grow, and loses as little as it can; what is newest goes last. Old turns themselves are
 * shortened only where the window is nearly full even so. Where handles cannot be followed nothing is hidden, so
 * nothing is relieved.
 */
export function relieve(context: PlanContext, shown: Rendered): Relieved {
  const { input } = context
  const { limitTokens, policy } = input
  const start = policy.pressure.compress * limitTokens
  const target = policy.pressure.prepare * limitTokens
  if (total(shown) <= start) return { rendered: shown, fits: true, forced: new Set() }
  if (!input.rehydration) return { rendered: shown, fits: total(shown) <= limitTokens, forced: new Set() }
  let rendered = shown
  const forced = new Set<number>()
  for (const step of steps) {
    rendered = shortenAll(context, rendered, step(policy.epochs), forced)
    if (total(rendered) <= target) break
  }
  if (total(rendered) > policy.pressure.evict * limitTokens) rendered = shortenTurns(context, rendered, forced)
  const fits = total(rendered) <= limitTokens
  return forced.size === 0
    ? { rendered, fits, forced }
    : { rendered, fits, forced, epoch: pressureRecord(context, shown, rendered) }
}

function total({ renditions }: Rendered): number {
  return renditions.reduce((sum, { tokens }) => sum + tokens, 0)
}

function shortenAll(context: PlanContext, rendered: Rendered, policy: EpochPolicy, forced: Set<number>): Rendered {
  const { input, options, facts } = context
  const candidates = eligible({ items: input.items, renditions: rendered.renditions, policy, facts, again: true })
  const shorter = shorterRenditions({
    ...options,
    renditions: rendered.renditions,
    candidates,
    policy,
  })
  if (shorter.size === 0) return rendered
  for (const index of shorter.keys()) forced.add(index)
  return rerender(context, rendered, Math.min(...shorter.keys()), shorter)
}

/** Last of all, old turns of the conversation themselves: oldest first, never the newest of either side. */
function shortenTurns(context: PlanContext, rendered: Rendered, forced: Set<number>): Rendered {
  const { items, limitTokens, policy } = context.input
  const shorter = new Map<number, Rendition>()
  const newest = items.findLastIndex((item) => item.role === 'user')
  let over = total(rendered) - policy.pressure.compress * limitTokens
  for (let index = 0; index < newest && over > 0; index++) {
    const item = items[index]
    const shown = rendered.renditions[index]
    if (item?.kind !== 'text' || item.section !== 'history' || shown === undefined) continue
    const rung = context.options
      .rungsOf(index, {})
      .findLast((rendition) => rendition.rung === 'trimmed' || rendition.rung === 'line')
    if (rung === undefined || rung.tokens >= shown.tokens) continue
    shorter.set(index, rung)
    forced.add(index)
    over -= shown.tokens - rung.tokens
  }
  return shorter.size === 0 ? rendered : rerender(context, rendered, Math.min(...shorter.keys()), shorter)
}

function pressureRecord({ input }: PlanContext, before: Rendered, after: Rendered): EpochRecord {
  return {
    epoch: (input.ledger?.epoch ?? 0) + 1,
    decision: 'begin',
    cause: 'pressure',
    rewriteCost: 0,
    savingPerTurn: total(before) - total(after),
    expectedTurns: 0,
    credit: input.ledger ? input.ledger.account.passThrough - input.ledger.account.actual : 0,
  }
}
