import type { ReliefStepRecord, Rendition, Section } from '../../core/index.ts'
import { rungs } from '../../core/index.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import { riskOf } from '../relief/risk-of.ts'
import { leastLoss } from './least-loss.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'
import { rerender } from './plan-context.ts'
import { allowed } from './propose.ts'
import { reliefTiers } from './relief-tiers.ts'
import type { Rendered } from './render-from.ts'
import type { Tier } from './usual-tiers.ts'

/** How far steps go, in tokens of what they are about. */
export interface StepGoal {
  /** Absent where it is everything. */
  readonly section?: Section
  readonly prepare: number
  readonly compress: number
  readonly evict: number
}

export interface Taken {
  readonly rendered: Rendered
  readonly steps: readonly ReliefStepRecord[]
}

/**
 * Takes a policy's steps of relief in a conversation, in their order, until there is room. One that would not lower the tokens, because
 * what referred to lines that go has to be written out, is not taken.
 */
export function takeSteps(
  context: PlanContext,
  shown: Rendered,
  { view, goal, forced }: { readonly view: ReliefView; readonly goal: StepGoal; readonly forced: Set<number> },
): Taken {
  const steps: ReliefStepRecord[] = []
  let rendered = shown
  for (const tier of reliefTiers(context, view)) {
    const next = tierTaken(context, rendered, { tier, goal })
    const [tokensBefore, tokensAfter] = [tokensOf(rendered), tokensOf(next.rendered)]
    if (tier.step === undefined || tokensAfter >= tokensBefore) continue
    for (const index of next.changed) forced.add(index)
    rendered = next.rendered
    const last = steps.at(-1)
    const isSame = last?.step === tier.step
    if (isSame) steps.pop()
    const section = goal.section === undefined ? {} : { section: goal.section }
    steps.push({
      step: tier.step,
      ...riskOf(tier.step),
      ...section,
      tokensBefore: isSame ? last.tokensBefore : tokensBefore,
      tokensAfter,
    })
  }
  return { rendered, steps }
}

function tokensOf({ renditions }: Rendered): number {
  return renditions.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** References to lines that are hidden now turn into the lines again, so a choice may take another to fit. */
const mostRounds = 3

interface TierTaken {
  readonly rendered: Rendered
  readonly changed: ReadonlySet<number>
}

function tierTaken(
  context: PlanContext,
  shown: Rendered,
  { tier, goal }: { readonly tier: Tier; readonly goal: StepGoal },
): TierTaken {
  const isMeant = (index: number): boolean =>
    goal.section === undefined || context.input.items[index]?.section === goal.section
  const changed = new Set<number>()
  let rendered = shown
  for (let round = 0; round < mostRounds; round += 1) {
    const used = rendered.renditions.reduce((sum, { tokens }, index) => (isMeant(index) ? sum + tokens : sum), 0)
    if (used <= goal[tier.until ?? 'compress']) break
    const members = tier.members(context, rendered).filter(isMeant)
    const choice = chosenIn({ context, rendered, tier, goal, members, used })
    if (choice.size === 0) break
    for (const index of choice.keys()) changed.add(index)
    rendered = rerender(context, rendered, Math.min(...choice.keys()), choice)
  }
  return { rendered, changed }
}

interface TierProblem {
  readonly context: PlanContext
  readonly rendered: Rendered
  readonly tier: Tier
  readonly goal: StepGoal
  readonly members: readonly number[]
  /** Tokens of what the goal is about. */
  readonly used: number
}

function chosenIn(problem: TierProblem): Choice {
  const { context, rendered, tier, goal, members, used } = problem
  if (tier.leavesOut === true) return leftOut(problem)
  if (tier.inOrder === true) return inOrder(problem)
  const high = goal[tier.until ?? 'compress']
  const low = tier.until === 'evict' ? goal.compress : goal.prepare
  const band = { low: Math.min(low, high), high }
  const allows = (rendition: Rendition): boolean => isAllowed(rendition, tier)
  return leastLoss({ context, rendered, members, policy: tier.policy, usedTokens: used, band, allows })
}

function isAllowed({ rung, fidelity }: Rendition, { rungs: some, least = 0 }: Tier): boolean {
  return (some === undefined || some.includes(rung)) && fidelity >= least
}

const omitted: Rendition = { rung: 'omitted', text: '', tokens: 0, fidelity: 0 }

/** In their order, each with its group, until there is room. */
function leftOut({ context, rendered, tier, goal, members, used }: TierProblem): Choice {
  const { items } = context.input
  const choice = new Map<number, Rendition>()
  let left = used
  for (const index of members) {
    if (left <= goal[tier.until ?? 'compress']) break
    if (choice.has(index) || rendered.renditions[index]?.rung === 'omitted') continue
    const group = items[index]?.group
    const going = group === undefined ? [index] : items.flatMap((item, at) => (item.group === group ? [at] : []))
    if (going.some((at) => context.room.relief?.pinned[at] === 1)) continue
    for (const at of going) {
      left -= rendered.renditions[at]?.tokens ?? 0
      choice.set(at, omitted)
    }
  }
  return choice
}

/** Each in its order to the dearest form that makes enough room, or to the cheapest of a rung, all to one rung before any to the next. */
function inOrder({ context, rendered, tier, goal, members, used }: TierProblem): Choice {
  const { options, input } = context
  const choice = new Map<number, Rendition>()
  let left = used
  for (const rung of tier.rungs ?? [])
    for (const index of members) {
      const needed = left - goal[tier.until ?? 'compress']
      if (needed <= 0) return choice
      const shown = choice.get(index) ?? rendered.renditions[index]
      if (shown === undefined) continue
      const mayHide = input.rehydration || input.items[index]?.kind === 'tool-schema'
      const fullTokens = options.tokens[index] ?? 0
      const offered = allowed(options.rungsOf(index, {}), { fullTokens, lowestRung: 'line' }).filter(
        (form) =>
          form.tokens < shown.tokens &&
          form.fidelity >= (tier.least ?? 0) &&
          rungs.indexOf(form.rung) <= rungs.indexOf(rung) &&
          (mayHide || form.rung === 'lossless'),
      )
      const form =
        offered.find(({ tokens }) => shown.tokens - tokens >= needed) ?? offered.findLast((one) => one.rung === rung)
      if (form === undefined) continue
      left -= shown.tokens - form.tokens
      choice.set(index, form)
    }
  return choice
}
