import type { Item, ReliefStep, Rung } from '../../core/index.ts'
import { olderThanEpisodes } from './episodes.ts'
import { acknowledgements, finishedWork, repeats, supersededResults } from './low-risk.ts'
import type { ReliefView } from './relief-view.ts'
import {
  coreLast,
  dearestFirst,
  leastCoveringFirst,
  lowestFirst,
  ofTier,
  oldestFirst,
  stalestFirst,
  toolDefinitions,
  touchable,
} from './relief-view.ts'

/** One step of relief, as a value: what it touches, in which order, and what may become of it. */
export interface StepRule {
  /** The share of the window (`pressure`) above which the step is taken, and down to which it goes. */
  readonly until: 'compress' | 'evict'
  /** The rungs to which it may bring an item, dearest first: all items to one before any to the next. Without any it leaves items out. */
  readonly rungs: readonly Rung[]
  /** The least of an item that must be left; 0 where absent. */
  readonly least?: number
  /** Indexes of what it touches, in the order in which it gives way. */
  members(view: ReliefView, tokensOf: (index: number) => number): readonly number[]
}

/** Newest episodes of a conversation that stay. */
const keptEpisodes = 3

const shorter: readonly Rung[] = ['lossless', 'trimmed', 'summary', 'line']
const historyOf = (view: ReliefView): readonly number[] => ofTier(view, 4)

/** Evicted are, in this order, memory, evidence and conversation: what is dear for its worth first, a conversation from its beginning. */
const evicted: StepRule['members'] = (view, tokensOf) => [
  ...dearestFirst(view, ofTier(view, 3), tokensOf),
  ...dearestFirst(view, ofTier(view, 2), tokensOf),
  ...historyOf(view),
]

/** Everything that may give way: memory, evidence and conversation, each by what it is worth or how old it is. */
const everything: StepRule['members'] = (view) => [
  ...lowestFirst(view, ofTier(view, 3)),
  ...lowestFirst(view, ofTier(view, 2)),
  ...olderHistory(view),
]

/** Steps that find what they touch by themselves. */
export type OwnStep = 'dedupe' | 'step-notes' | 'disclose' | 'mask-episodes' | 'in-proportion'

/** A step is a line here. */
export const stepRules: Readonly<Record<Exclude<ReliefStep, OwnStep>, StepRule>> = {
  'lossless': {
    until: 'compress',
    rungs: ['lossless'],
    members: (view) => [...toolDefinitions(view), ...everything(view, () => 0)],
  },
  'schemas': {
    until: 'compress',
    rungs: ['lossless', 'trimmed'],
    members: (view) => coreLast(view, lowestFirst(view, toolDefinitions(view))),
  },
  'mask': { until: 'compress', rungs: ['line'], members: maskable },
  'episodes': {
    until: 'compress',
    rungs: [],
    members: (view) => olderThanEpisodes(view.items, historyOf(view), keptEpisodes),
  },
  'prune': {
    until: 'compress',
    rungs: ['lossless', 'trimmed'],
    members: (view) => [...everything(view, () => 0), ...toolDefinitions(view)],
  },
  'compress': { until: 'compress', rungs: ['summary', 'line'], members: everything },
  'compress-memory': { until: 'compress', rungs: shorter, members: (view) => lowestFirst(view, ofTier(view, 3)) },
  'compress-evidence': { until: 'compress', rungs: shorter, members: (view) => oldestFirst(view, ofTier(view, 2)) },
  'compress-history': { until: 'compress', rungs: shorter, members: olderHistory },
  'tool-examples': { until: 'compress', rungs: ['trimmed'], least: 0.9, members: toolDefinitions },
  'drop-memory': { until: 'evict', rungs: [], members: (view) => lowestFirst(view, ofTier(view, 3)) },
  'drop-evidence': { until: 'evict', rungs: [], members: (view) => leastCoveringFirst(view, ofTier(view, 2)) },
  'drop-history': { until: 'evict', rungs: [], members: historyOf },
  'evict': { until: 'evict', rungs: [], members: evicted },
  'acknowledgements': { until: 'compress', rungs: [], members: acknowledgements },
  'repeats': { until: 'compress', rungs: [], members: repeats },
  'superseded': { until: 'compress', rungs: ['line'], members: supersededResults },
  'subtasks': { until: 'compress', rungs: ['trimmed', 'line'], members: finishedWork },
  'preferences': {
    until: 'evict',
    rungs: [],
    members: (view) => lowestFirst(view, Array.from(view.held)),
  },
  'evict-stale': {
    until: 'evict',
    rungs: [],
    members: (view, tokensOf) => [
      ...stalestFirst(view, ofTier(view, 3), tokensOf),
      ...stalestFirst(view, ofTier(view, 2), tokensOf),
      ...stalestFirst(view, olderThanEpisodes(view.items, historyOf(view), 1), tokensOf),
    ],
  },
}

/** The newest episode is what the model is at; failures that are not old are what it must not forget. */
function olderHistory(view: ReliefView): readonly number[] {
  const kept = keptFailures(view)
  return olderThanEpisodes(view.items, historyOf(view), 1).filter((index) => !kept.has(index))
}

/** Results of tools, oldest first, so that the window of those in full shrinks: not the newest, and no failure that is not old. */
function maskable(view: ReliefView): readonly number[] {
  const kept = keptFailures(view)
  return resultsOf(view)
    .slice(0, -1)
    .filter((index) => !kept.has(index))
}

function resultsOf(view: ReliefView): readonly number[] {
  return touchable(view, ({ kind, section }) => kind === 'tool-result' && view.tiers.get(section) === 4)
}

function keptFailures(view: ReliefView): ReadonlySet<number> {
  const newest = view.keepErrors === 0 ? [] : resultsOf(view).slice(-view.keepErrors)
  return new Set(newest.filter((index) => view.failed(view.items[index] as Item)))
}
