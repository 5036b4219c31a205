import type { EpochPolicy, ReliefStep, Rung } from '../../core/index.ts'
import { repeatedFacts } from '../relief/repeated-facts.ts'
import { stepRules } from '../relief/step-rules.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { resultTiers } from './usual-tiers.ts'
import type { Tier } from './usual-tiers.ts'

/** What a policy's steps of relief are in a conversation, in their order. */
export function reliefTiers(context: PlanContext, view: ReliefView): readonly Tier[] {
  return view.steps.flatMap((step) => tiersOfStep(context, view, step))
}

function tiersOfStep(context: PlanContext, view: ReliefView, step: ReliefStep): readonly Tier[] {
  const { policy } = context.input
  const line: EpochPolicy = { ...policy.epochs, lowestRung: 'line' }
  // The frame of a step is no part of a conversation.
  if (step === 'step-notes') return []
  if (step === 'mask')
    return resultTiers(policy.epochs).map((tier) => ({
      ...tier,
      step,
      members: (own, shown) => tier.members(own, shown).filter((index) => view.pinned[index] !== 1),
    }))
  if (step === 'dedupe') {
    const members: Tier['members'] = (_, shown) =>
      repeatedFacts(view, (index) => isWhole(shown, index)).map(({ index }) => index)
    return [
      {
        step,
        policy: line,
        members: (own, shown) => members(own, shown).filter(mayGo(context, view, true)),
        leavesOut: true,
      },
    ]
  }
  const { rungs, least = 0, until, members } = stepRules[step]
  const found: Tier['members'] = (_, shown) => members(view, (index) => shown.renditions[index]?.tokens ?? 0)
  const isHistory = (index: number): boolean => view.items[index]?.section === 'history'
  const some =
    (own: Tier['members'], holds: (index: number) => boolean): Tier['members'] =>
    (inner, shown) =>
      own(inner, shown).filter(holds)
  const own = { step, policy: line, until }
  const shorter = { ...own, rungs: rungs.length > 0 ? rungs : shortest, least }
  return [
    rungs.length > 0
      ? { ...shorter, inOrder: true, members: some(found, (index) => !isHistory(index)) }
      : { ...own, leavesOut: true, members: some(found, mayGo(context, view, false)) },
    // What a client says in a conversation cannot be taken out of it; it is shown as short as it can be.
    { ...shorter, members: some(found, isHistory) },
  ]
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
