import type { SectionBudget, SummaryPolicy } from '../../core/index.ts'
import { turnsOfBlock } from '../summaries/segments.ts'
import { recentTurns } from '../summaries/window.ts'
import { leftOut } from '../solvers/choose-rungs.ts'
import type { FormReader, LadderSetting } from '../items/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { exchangeStarts } from '../items/conversation-tail.ts'
import { compressHistory } from './compress-history.ts'
import type { HistoryChoice, HistoryCut, HistoryProblem } from './compress-history.ts'
import type { LaddersOf } from './kept-ladders.ts'

export interface CutInput {
  readonly forms: FormReader
  readonly laddersOf: LaddersOf
  readonly candidates: readonly Candidate[]
  readonly setting: LadderSetting
  readonly grouped: boolean
  /** Indexes of the conversation's candidates, in order. */
  readonly members: readonly number[]
  /** Of the members: 1 where one stands whole whatever happens. */
  readonly pinned: Uint8Array
  readonly budget: SectionBudget
  readonly budgetTokens: number
  /** Where the last request cut it, as indexes of candidates. */
  readonly held: HistoryCut | undefined
  /** Share of the budget that a new cut leaves in use. */
  readonly cutShare: number
  /** Where complete blocks of what is cut are summarised: how, and what was kept for that. */
  readonly summaries?: { readonly policy: SummaryPolicy; readonly tokens: number } | undefined
}

export interface CutMade {
  /** A form for each member. */
  readonly chosen: Int32Array
  /** As indexes of candidates. */
  readonly cut: HistoryCut & { readonly held: boolean }
}

/** Cuts a conversation that does not fit, in candidates instead of places. */
export function cutHistory(input: CutInput): CutMade {
  const { candidates, setting, grouped, members, pinned, budget, cutShare } = input
  const at = (place: number): Candidate | undefined => candidates[members[place] ?? -1]
  const placeOf = (index: number): number => {
    const place = members.findIndex((member) => member >= index)
    return place === -1 ? members.length : place
  }
  const before = input.held
  const starts = (): readonly number[] => exchangeStarts(members.length, (place) => at(place)?.item)
  const bounds = boundsOf(input, starts)
  const made = compressHistory({
    pinned,
    ...bounds,
    held: before && { short: placeOf(before.short), whole: placeOf(before.whole) },
    cutShare,
    starts,
    ...(grouped ? { groupOf: (place: number) => at(place)?.item.group } : {}),
    ladder: input.laddersOf({ candidates, members, setting, mostRemoved: budget.mostRemoved }),
  })
  const { chosen, cut, held } = input.summaries === undefined || made.held ? made : atBlock(input, made, starts())
  const indexAt = (place: number): number => members[place] ?? candidates.length
  return { chosen, cut: { short: indexAt(cut.short), whole: indexAt(cut.whole), held } }
}

type Bounds = Pick<HistoryProblem, 'budgetTokens' | 'recentTurns' | 'olderTokens'>

/** What is summarised stands in no other short form, and is paid for first. */
function boundsOf(
  { budget, budgetTokens, summaries, members, candidates, forms, setting, held }: CutInput,
  starts: () => readonly number[],
): Bounds {
  if (summaries === undefined) return { budgetTokens, recentTurns: budget.recentTurns, olderTokens: budget.olderTokens }
  const own = Math.max(0, Math.min(budgetTokens, budget.max - summaries.tokens))
  const full = members.reduce((sum, index) => {
    const candidate = candidates[index]
    return candidate === undefined ? sum : sum + forms.full(candidate, setting.writing).tokens
  }, 0)
  const turnTokens = full / Math.max(1, starts().length)
  const most = recentTurns({ budgetTokens: own, summaryTokens: 0, turnTokens, policy: summaries.policy })
  const isCut = held !== undefined || full > own
  const turns = isCut
    ? Math.min(budget.recentTurns ?? Infinity, Math.max(1, most) + turnsOfBlock(summaries.policy) - 1)
    : budget.recentTurns
  return { budgetTokens: own, recentTurns: turns, olderTokens: 0 }
}

/** What is left of a block that was cut into goes with it: its summary stands for all of it, unless too few turns would stay. */
function atBlock(
  { summaries, pinned, grouped, members, candidates }: CutInput,
  made: HistoryChoice,
  starts: readonly number[],
): HistoryChoice {
  const { policy } = summaries ?? { policy: {} }
  const blockTurns = turnsOfBlock(policy)
  const least = recentTurns({ budgetTokens: 0, summaryTokens: 0, turnTokens: 1, policy })
  const gone = starts.filter((start) => start < made.cut.whole).length
  if (gone === 0) return made
  const most = Math.floor(Math.max(0, starts.length - least) / blockTurns)
  const blocks = Math.min(most, Math.ceil(gone / blockTurns))
  const place = starts[blocks * blockTurns] ?? pinned.length
  if (place <= made.cut.whole) return made
  const groupOf = (at: number): string | undefined => (grouped ? candidates[members[at] ?? -1]?.item.group : undefined)
  const kept = new Set(
    Array.from(pinned.keys())
      .slice(place)
      .flatMap((at) => groupOf(at) ?? []),
  )
  const chosen = made.chosen.map((form, at) =>
    at < place && pinned[at] !== 1 && !kept.has(groupOf(at) ?? '') ? leftOut : form,
  )
  return { chosen, cut: { short: place, whole: place }, held: false }
}
