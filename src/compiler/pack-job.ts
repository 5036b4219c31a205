import { handleFrom } from './epochs/item-keys.ts'
import type { Budget, CompileInput, ReasonCode, Section } from '../core/index.ts'
import { compareCodeUnits, isKnownSection } from '../core/index.ts'
import { resolveBudget } from './budget/resolve-budget.ts'
import { signalWeights } from './budget/signal-weights.ts'
import type { SignalWeights } from './budget/signal-weights.ts'
import type { Candidate } from './candidate.ts'
import type { CompilerParts } from './compiler-parts.ts'
import type { Markup } from './layout/markup.ts'
import { markups } from './layout/payload.ts'
import type { PackBlocks } from './layout/payload.ts'
import type { CandidateList } from './read-candidates.ts'
import type { LadderSetting } from './shown.ts'
import { frameTokensOf } from './stages/assemble-pack.ts'
import type { PackFrame } from './stages/assemble-pack.ts'
import { filterItems } from './stages/filter-items.ts'
import type { HistoryCut } from './stages/compress-history.ts'
import type { Ranked } from './stages/rank-items.ts'
import { heldCut } from './history-ledger.ts'
import { focusWords } from './words.ts'

/** A cut of the conversation as indexes of candidates. */
export type HeldCut = HistoryCut

/** What is known about a compile before a token is granted. */
export interface PackJob extends Ranked {
  readonly parts: CompilerParts
  readonly input: CompileInput
  readonly list: CandidateList
  readonly candidates: readonly Candidate[]
  readonly signals: SignalWeights
  readonly budget: Budget
  /** Why candidates may not be shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  /** Groups whose members stand in more than one section. */
  readonly spanning: readonly (readonly number[])[]
  readonly setting: LadderSetting
  /** Where the last request cut the conversation. */
  readonly heldCut: HeldCut | undefined
  readonly packFrame: PackFrame
  /** What the frame takes, at most. */
  readonly frameTokens: number
}

export function packJob(parts: CompilerParts, input: CompileInput, list: CandidateList): PackJob {
  const { policy } = input
  const { candidates, sections, repeats, grouped } = list
  const signals = signalWeights(input.signals)
  const markup = markups[input.markup ?? 'headers']
  const tokensOf = (one: Candidate): number => parts.shown.full(one, markup).tokens
  const ranked = parts.rankItems({ list, weights: policy.rank, markup: markup.name, tokensOf })
  const groups = grouped ? groupsOf(candidates) : []
  const pinned = grouped ? withGroups(ranked.pinned, groups) : ranked.pinned
  const packFrame: PackFrame = {
    frame: input.frame,
    rehydration: input.rehydration ?? false,
    others: sections.filter((section) => !isKnownSection(section)).toSorted(compareCodeUnits),
    messageTokens: parts.messageTokens,
    piece: parts.piece,
    markup,
  }
  return {
    ...ranked,
    pinned,
    parts,
    input,
    list,
    candidates,
    signals,
    budget: resolveBudget({ request: input.budget, policy, present: sections, signals }),
    dropped: filterItems(candidates, { policy, pinned, groups, repeats }),
    spanning: groups.filter((members) => isSpanning(members, candidates)),
    setting: ladderSetting(parts, input, markup),
    heldCut: heldCut(input, candidates, ranked.members.get('history') ?? []),
    packFrame,
    frameTokens: frameTokensOf(packFrame, countsOf(ranked.members)),
  }
}

/** What is pinned pins its group. */
function withGroups(own: Uint8Array, groups: readonly (readonly number[])[]): Uint8Array {
  const pinned = own.slice()
  for (const members of groups)
    if (members.some((index) => pinned[index] === 1)) for (const index of members) pinned[index] = 1
  return pinned
}

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

/** As many could be missing. */
function countsOf(members: Ranked['members']): PackBlocks['missing'] {
  const count = (section: Section): number => members.get(section)?.length ?? 0
  return { evidence: count('evidence'), memory: count('memory'), history: count('history') }
}

function ladderSetting({ hash }: CompilerParts, input: CompileInput, markup: Markup): LadderSetting {
  const { frame, rehydration = false, handleKey = '', hiddenTools = [] } = input
  const words = focusWords(frame)
  return {
    focus: new Set(words),
    rehydration,
    handleKey,
    hiddenTools,
    markup,
    key: `${markup.name} ${rehydration} ${handleKey} ${hiddenTools.join(' ')} ${words.join(' ')}`,
    handleOf({ contentHash, memo }) {
      if (memo.handle?.key !== handleKey)
        memo.handle = { key: handleKey, handle: handleFrom(hash, handleKey, contentHash) }
      return memo.handle.handle
    },
  }
}
