import type { EpochPolicy, Item, MediaRetention, OwnCalls, ReliefStep, Rung } from '../../core/index.ts'
import type { StepRule } from '../relief/step-rules.ts'
import { isAsked } from '../items/asked.ts'
import { coreTools, isCoreTool } from '../items/core-tools.ts'
import { isSummarised, maySummarise } from './summarised.ts'
import { eligible, resultsEnd } from './eligible.ts'
import type { PlanContext } from './plan-context.ts'
import { overWorth } from './propose.ts'
import type { Rendered } from './render-from.ts'

/** What may be shortened for want of room. */
export interface Tier {
  readonly policy: EpochPolicy
  /** Only where the window is nearly full even so. */
  readonly last?: boolean
  members(context: PlanContext, rendered: Rendered): readonly number[]
  /** Whether results are shown by head, tail and failures, and calls by first lines. */
  readonly outline?: boolean
  /** Whether it is for requests that would not fit otherwise, so that it may lose something where nothing follows handles. */
  readonly mustFit?: boolean
  /** The rest is of tiers that a policy's steps of relief have made. */
  readonly step?: ReliefStep
  /** The share of the window down to which it goes; `compress` where absent. */
  readonly until?: StepRule['until']
  /** The rungs that it may bring an item to; all where absent. */
  readonly rungs?: readonly Rung[]
  /** The least of an item that must be left. */
  readonly least?: number
  /** Whether members give way one after the other; else those whose loss is least. */
  readonly inOrder?: boolean
  /** Whether they are left out. */
  readonly leavesOut?: boolean
  /** Whole steps are left out, all but so many of the newest. */
  readonly newestSteps?: number
}

/**
 * What may be shortened, tier by tier: results and calls as the policy has it, then shorter ones, and with these what the model said; the
 * oldest as far as they go before newer ones. Then newer and shorter ones yet;
 * where the window is nearly full even so, the schemas of tools, of those that nothing has called before the others; then old turns themselves, the oldest first and
 * never the newest of either side; last of all the newest result, once the model has read it.
 */
export function usualTiers({ input, outdated }: PlanContext): readonly Tier[] {
  const over = new Map<number, unknown>([...outdated, ...shownAgain(input.items)])
  const line = { ...input.policy.epochs, lowestRung: 'line' } as const
  const turnShares = [0.25, 0.5, 0.75, 1]
  return [
    ...(over.size === 0 ? [] : [overTier(input.policy.epochs, over)]),
    // Where a policy has dialogue summarised, summaries take the place of what goes by age.
    ...(maySummarise(input) ? [] : byAge(input)),
    ...resultTiers(input.policy.epochs),
    { policy: line, last: true, members: (context) => toolSchemas(context, false) },
    { policy: line, last: true, members: (context) => toolSchemas(context, true) },
    { policy: line, last: true, members: oldTurns(0.75, 'assistant') },
    ...turnShares.map((share): Tier => ({ policy: line, last: true, members: oldTurns(share) })),
    newestResult(input.policy.epochs),
  ]
}

/** Better less of what the model has read last than a request that does not fit. */
function newestResult(own: EpochPolicy): Tier {
  const policy = { ...own, lowestRung: 'line', lineWorth: 1, keepTokens: 0, keepFull: 0, keepErrors: 0 } as const
  return { policy, last: true, members: consumed(policy) }
}

/** What the conversation has no use for any more goes before all else, and so does what stands in it again, word for word. */
function overTier(own: EpochPolicy, over: ReadonlyMap<number, unknown>): Tier {
  const policy = { ...own, lowestRung: 'line', lineWorth: overWorth } as const
  const members: Tier['members'] = ({ input: { items }, facts }, { renditions }) =>
    eligible({ items, renditions, policy, facts, again: true, outdated: over }).filter((index) => over.has(index))
  return { policy, members }
}

/** Results that the model has read and that a later one repeats whole, with the place of that one. */
function shownAgain(items: readonly Item[]): ReadonlyMap<number, number> {
  const last = new Map<string, number>()
  for (const [index, { kind, text }] of items.entries()) if (kind === 'tool-result') last.set(text, index)
  const read = items.findLastIndex(({ role }) => role === 'assistant')
  const found = new Map<number, number>()
  for (const [index, { kind, text }] of items.slice(0, Math.max(0, read)).entries()) {
    const again = kind === 'tool-result' ? last.get(text) : undefined
    if (again !== undefined && again > index) found.set(index, again)
  }
  return found
}

function byAge({ policy: { epochs }, rehydration }: PlanContext['input']): readonly Tier[] {
  const steps = rehydration && epochs.ownCalls !== 'whole' ? [oldSteps(epochs, 40)] : []
  return [...agedTiers(epochs, 20), ...steps, ...agedTiers(epochs, 10)]
}

/** A long session's calls and lines of results fill the window by their number alone: of the oldest steps one note is left. */
export function oldSteps(policy: EpochPolicy, newestSteps: number): Tier {
  return { policy, newestSteps, members: () => [] }
}

/** What is behind so many newer results goes as far as it can before anything newer is shortened: later steps use it least. */
function agedTiers(own: EpochPolicy, results: number): readonly Tier[] {
  const older = { ...own, keepFull: Math.max(results, own.keepFull) }
  const [asItIs, shorter, shortest] = resultTiers(older)
  if (asItIs === undefined || shorter === undefined || shortest === undefined) return []
  const policy = { ...shortest.policy, callTokens: 60, keepTokens: own.keepTokens }
  const members: Tier['members'] = (context, rendered) => {
    const { items } = context.input
    const said = indexesWhere(resultsEnd(items, older.keepFull), (index) => mayBeShort(items[index], rendered, index))
    return [...consumed(policy)(context, rendered), ...said].toSorted((a, b) => a - b)
  }
  return [asItIs, shorter, { policy, members }]
}

function mayBeShort(item: Item | undefined, { renditions }: Rendered, index: number): boolean {
  const isSaid = item?.kind === 'text' && item.role === 'assistant' && item.section === 'history'
  return isSaid && item.frozen !== true && !isSummarised(renditions[index])
}

/** Results and calls as the policy has it, then shorter and newer ones. */
export function resultTiers(own: EpochPolicy): readonly Tier[] {
  const line = { ...own, lowestRung: 'line' } as const
  const { callTokens, keepTokens } = own
  const ownCalls: OwnCalls = own.ownCalls === 'whole' ? 'whole' : 'any'
  const media: MediaRetention = own.media === 'whole' ? 'whole' : 'any'
  const forced = { ...line, ownCalls, media }
  const results = [
    own,
    { ...forced, lineWorth: own.lineWorth * 4, callTokens: Math.min(callTokens, 200) },
    { ...forced, lineWorth: 1, keepTokens: keepTokens / 4, callTokens: 100 },
    { ...forced, lineWorth: 1, keepTokens: 0, keepFull: 1, keepErrors: 1, callTokens: 60 },
  ]
  return results.map((policy): Tier => ({ policy, members: consumed(policy) }))
}

function consumed(policy: EpochPolicy): Tier['members'] {
  return ({ input: { items, hiddenTools }, facts }, { renditions }) =>
    eligible({ items, renditions, policy, facts, again: true, hiddenTools })
}

function toolSchemas({ input: { items, policy } }: PlanContext, withCore: boolean): readonly number[] {
  const core = coreTools(withCore ? [] : items, policy.coreTools)
  return indexesWhere(items.length, (index) => {
    const item = items[index]
    if (item?.kind !== 'tool-schema' || item.pin === true || item.frozen === true) return false
    return withCore || !isCoreTool(core, item)
  })
}

/** Those of one role where it is named: what the model said goes before what it was told. */
function oldTurns(share: number, role?: Item['role']): Tier['members'] {
  return ({ input: { items, policy } }, { renditions }) => {
    const newest = items.findLastIndex((item) => item.role === 'user')
    const first = items.findIndex(isAsked)
    const mayShowLess = policy.epochs.media !== 'whole'
    const isOld = (index: number): boolean =>
      index !== first &&
      (role === undefined || items[index]?.role === role) &&
      isOldTurn(items[index], mayShowLess) &&
      !isSummarised(renditions[index])
    const turns = indexesWhere(newest, isOld)
    return turns.slice(0, Math.ceil(turns.length * share))
  }
}

/** What was said, and what a user has attached. */
function isOldTurn(item: Item | undefined, mayShowLess: boolean): boolean {
  if (item?.section !== 'history' || item.frozen === true) return false
  return item.kind === 'text' || (mayShowLess && item.kind === 'media' && item.role === 'user')
}

function indexesWhere(end: number, holds: (index: number) => boolean): readonly number[] {
  return Array.from({ length: Math.max(0, end) }, (_, index) => index).filter(holds)
}
