import { handleFrom } from './conversation/item-keys.ts'
import type { Budget, CompileInput, ReasonCode, Section } from '../core/index.ts'
import { compareCodeUnits, sections as knownSections, stableJson } from '../core/index.ts'
import { resolveBudget } from './budget/resolve-budget.ts'
import { signalWeights } from './budget/signal-weights.ts'
import type { SignalWeights } from './budget/signal-weights.ts'
import type { Candidate } from './candidate.ts'
import type { CompilerParts } from './compiler-parts.ts'
import { isKnownSection } from './layout/known-section.ts'
import type { CandidateList } from './read-candidates.ts'
import type { LadderSetting } from './shown.ts'
import { frameTokensOf } from './stages/assemble-pack.ts'
import type { PackFrame } from './stages/assemble-pack.ts'
import { filterItems } from './stages/filter-items.ts'
import { focusWords } from './words.ts'

/** What is known about a compile before a token is granted. */
export interface PackJob {
  readonly parts: CompilerParts
  readonly input: CompileInput
  readonly candidates: readonly Candidate[]
  readonly signals: SignalWeights
  readonly budget: Budget
  /** Why candidates may not be shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  /** Tokens of each candidate in full, as it would stand in the pack. */
  readonly fullTokens: Float64Array
  readonly scores: Float64Array
  /** 1 where the item stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Groups whose members stand in more than one section. */
  readonly spanning: readonly (readonly number[])[]
  readonly setting: LadderSetting
  readonly packFrame: PackFrame
  /** What the frame takes, at most. */
  readonly frameTokens: number
}

export function packJob(parts: CompilerParts, input: CompileInput, list: CandidateList): PackJob {
  const { candidates, sections, repeats, grouped } = list
  const signals = signalWeights(input.signals)
  const present = sections
  const budget = resolveBudget({ request: input.budget, policy: input.policy, present, signals })
  const fullTokens = new Float64Array(candidates.length)
  const scores = new Float64Array(candidates.length)
  const pinned = new Uint8Array(candidates.length)
  const rank = { weights: input.policy.rank, key: stableJson(input.policy.rank) }
  for (const [index, candidate] of candidates.entries()) {
    const { item } = candidate
    const { tokens } = candidate.memo.full ?? parts.shown.full(candidate)
    fullTokens[index] = tokens
    scores[index] = parts.score(candidate, tokens, rank)
    if (item.pin === true || wholeSections.has(item.section)) pinned[index] = 1
  }
  const groups = grouped ? groupsOf(candidates) : []
  // What is pinned pins its group.
  for (const members of groups)
    if (members.some((index) => pinned[index] === 1)) for (const index of members) pinned[index] = 1
  const packFrame: PackFrame = {
    frame: input.frame,
    rehydration: input.rehydration ?? false,
    others: present.filter((section) => !isKnownSection(section)).toSorted(compareCodeUnits),
    messageTokens: parts.messageTokens,
    piece: parts.piece,
  }
  return {
    parts,
    input,
    candidates,
    signals,
    budget,
    dropped: filterItems(candidates, { policy: input.policy, pinned, groups, repeats }),
    fullTokens,
    scores,
    pinned,
    spanning: groups.filter((members) => isSpanning(members, candidates)),
    setting: ladderSetting(parts, input),
    packFrame,
    frameTokens: frameTokensOf(packFrame),
  }
}

/** Tiers 0 and 1 are never left out (P-010, A-031); of tools, a selection is shown (P-024). */
const wholeSections: ReadonlySet<Section> = new Set(
  knownSections.filter(({ section, tier }) => tier <= 1 && section !== 'tools').map(({ section }) => section),
)

function groupsOf(candidates: readonly Candidate[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  for (const [index, { item }] of candidates.entries()) {
    if (item.group === undefined) continue
    const members = groups.get(item.group)
    if (members === undefined) groups.set(item.group, [index])
    else members.push(index)
  }
  return [...groups.values()]
}

function isSpanning(members: readonly number[], candidates: readonly Candidate[]): boolean {
  const [first] = members
  return members.some((index) => candidates[index]?.item.section !== candidates[first ?? 0]?.item.section)
}

function ladderSetting({ hash }: CompilerParts, input: CompileInput): LadderSetting {
  const { frame, rehydration = false, handleKey = '' } = input
  const words = focusWords(frame)
  return {
    focus: new Set(words),
    rehydration,
    key: `${rehydration} ${handleKey} ${words.join(' ')}`,
    handleOf({ contentHash, memo }) {
      if (memo.handle?.key !== handleKey)
        memo.handle = { key: handleKey, handle: handleFrom(hash, handleKey, contentHash) }
      return memo.handle.handle
    },
  }
}
