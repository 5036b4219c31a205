import type { SectionBudget } from '../../core/index.ts'
import { withinRemoval } from '../forms/form.ts'
import type { FormReader, LadderSetting } from '../forms/form-reader.ts'
import type { Candidate } from '../items/candidate.ts'
import { exchangeStarts } from '../items/conversation-tail.ts'
import { compressHistory } from './compress-history.ts'
import type { HistoryCut } from './compress-history.ts'

export interface CutInput {
  readonly forms: FormReader
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
}

export interface CutMade {
  /** A form for each member. */
  readonly chosen: Int32Array
  /** As indexes of candidates. */
  readonly cut: HistoryCut & { readonly held: boolean }
}

/** Cuts a conversation that does not fit, in candidates instead of places. */
export function cutHistory(input: CutInput): CutMade {
  const { forms, candidates, setting, grouped, members, pinned, budget, budgetTokens, cutShare } = input
  const at = (place: number): Candidate | undefined => candidates[members[place] ?? -1]
  const placeOf = (index: number): number => {
    const place = members.findIndex((member) => member >= index)
    return place === -1 ? members.length : place
  }
  const before = input.held
  const { chosen, cut, held } = compressHistory({
    pinned,
    budgetTokens,
    held: before && { short: placeOf(before.short), whole: placeOf(before.whole) },
    cutShare,
    recentTurns: budget.recentTurns,
    olderTokens: budget.olderTokens,
    starts: () => exchangeStarts(members.length, (place) => at(place)?.item),
    ...(grouped ? { groupOf: (place: number) => at(place)?.item.group } : {}),
    ladder(place) {
      const candidate = at(place)
      return candidate && withinRemoval(forms.ladder(candidate, setting), budget.mostRemoved)
    },
  })
  const indexAt = (place: number): number => members[place] ?? candidates.length
  return { chosen, cut: { short: indexAt(cut.short), whole: indexAt(cut.whole), held } }
}
