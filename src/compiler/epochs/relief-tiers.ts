import type { EpochPolicy, ReliefStep, Rung } from '../../core/index.ts'
import { olderThanEpisodes } from '../relief/episodes.ts'
import { repeatedFacts } from '../relief/repeated-facts.ts'
import { stepRules } from '../relief/step-rules.ts'
import type { OwnStep } from '../relief/step-rules.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { resultTiers } from './usual-tiers.ts'
import type { Tier } from './usual-tiers.ts'

/** What a policy's steps of relief are in a conversation, in their order. */
export function reliefTiers(context: PlanContext, view: ReliefView): readonly Tier[] {
  // What states facts that `dedupe` leaves out elsewhere goes last.
  const keepers = new Set<number>()
  return view.steps.flatMap((step) => {
    // The frame of a step is no part of a conversation, and what was said there is not disclosed but stands.
    if (step === 'step-notes' || step === 'disclose' || step === 'mask-episodes' || step === 'in-proportion') return []
    if (step === 'mask') return masks(context, view)
    return step === 'dedupe' ? [dedupe(context, view, keepers)] : tiersOfStep({ context, view, step, keepers })
  })
}

function masks({ input }: PlanContext, view: ReliefView): readonly Tier[] {
  return resultTiers(input.policy.epochs).map((tier) => ({
    ...tier,
    step: 'mask',
    members: (own, shown) => tier.members(own, shown).filter((index) => view.pinned[index] !== 1),
  }))
}

function dedupe(context: PlanContext, view: ReliefView, keepers: Set<number>): Tier {
  const members: Tier['members'] = (_, shown) => {
    const repeated = repeatedFacts(view, (index) => isWhole(shown, index))
    for (const one of repeated) for (const keeper of one.keepers) keepers.add(keeper)
    return repeated.map(({ index }) => index).filter(mayGo(context, view, true))
  }
  return { step: 'dedupe', policy: lineOf(context), members, leavesOut: true }
}

interface StepOptions {
  readonly context: PlanContext
  readonly view: ReliefView
  readonly step: Exclude<ReliefStep, OwnStep>
  readonly keepers: ReadonlySet<number>
}

function tiersOfStep({ context, view, step, keepers }: StepOptions): readonly Tier[] {
  const { rungs, least = 0, until, members } = stepRules[step]
  const some =
    (holds: (index: number) => boolean): Tier['members'] =>
    (_, shown) => {
      const found = members(view, (index) => shown.renditions[index]?.tokens ?? 0).filter(holds)
      return keepers.size === 0 ? found : found.toSorted((a, b) => Number(keepers.has(a)) - Number(keepers.has(b)))
    }
  const own = { step, policy: lineOf(context), until }
  const shorter = { ...own, rungs: rungs.length > 0 ? rungs : shortest, least }
  return [
    rungs.length > 0
      ? { ...shorter, inOrder: true, members: some((index) => view.items[index]?.section !== 'history') }
      : { ...own, leavesOut: true, members: some(mayGo(context, view, false)) },
    // What a client says in a conversation cannot be taken out of it; it is shown as short as it can be.
    { ...shorter, members: some(mayShrink(context, view)) },
  ]
}

function lineOf({ input }: PlanContext): EpochPolicy {
  return { ...input.policy.epochs, lowestRung: 'line' }
}

/** What lies before the newest episode, which is what the model is asked; its own calls only where the policy lets them go. */
function mayShrink({ input: { policy } }: PlanContext, view: ReliefView): (index: number) => boolean {
  const history = Array.from(view.items.keys()).filter((index) => view.items[index]?.section === 'history')
  const older = new Set(olderThanEpisodes(view.items, history, 1))
  return (index) => older.has(index) && (policy.epochs.ownCalls !== 'whole' || view.items[index]?.kind !== 'tool-call')
}

const shortest: readonly Rung[] = ['lossless', 'trimmed', 'summary', 'line', 'pointer']

function isWhole({ renditions }: Rendered, index: number): boolean {
  const rung = renditions[index]?.rung
  return rung === 'full' || rung === 'lossless'
}

/** What was collected besides a conversation, where nothing of its group belongs to that. */
function mayGo({ input: { items } }: PlanContext, view: ReliefView, isCopy: boolean): (index: number) => boolean {
  const held = new Set(items.flatMap(({ section, group }) => (isCollected(view, section) ? [] : (group ?? []))))
  return (index) => {
    const item = items[index]
    if (item === undefined || !isCollected(view, item.section)) return false
    return (item.group === undefined || !held.has(item.group)) && (isCopy || view.mayLose(item.section))
  }
}

function isCollected({ tiers }: ReliefView, section: string): boolean {
  return section !== 'history' && tiers.has(section)
}
