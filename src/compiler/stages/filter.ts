import type { Item, LearnedRank, PackScope, Policy, ReasonCode, Section } from '../../core/index.ts'
import { isKnownSection, isOutOfScope } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { isBodiless } from '../items/read-candidates.ts'
import { learnedWeight } from './rank-rules.ts'

export interface FilterInput {
  readonly candidates: readonly Candidate[]
  /** Indexes of those that are pinned. */
  readonly pins: readonly number[]
  readonly policy: Pick<Policy, 'floors'> & { readonly rank?: Policy['rank'] }
  /** Whether any content may stand twice. */
  readonly repeats: boolean
  readonly grouped: boolean
  /** Whether what is opaque and has no text must stay out: a payload has no place for it. */
  readonly onlyTexts?: boolean
  /** What the pack is for; absent where that leaves nothing out. */
  readonly scope?: PackScope
  /** 1 for items that are chosen anew; absent where all are. Bytes that a provider has cached pass every floor. */
  readonly free?: Uint8Array
  /** 1 for items that the last request left out; what joins their group now stays out with them. */
  readonly omitted?: Uint8Array
  /** Sections of which nothing is to be shown, not even what would stand whole. */
  readonly shut?: ReadonlySet<Section>
}

/** What may be shown, and what must. */
export interface Filtered {
  /** 1 where the item stands whole whatever happens, itself or because of its group. */
  readonly pinned: Uint8Array
  /** Why candidates may not be shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  /** Groups whose members stand in more than one section. */
  readonly spanning: readonly (readonly number[])[]
}

/**
 * Finds what no budget should be spent on: what is below a floor, what has expired, what stands twice among evidence and
 * memory, and what shares a group with any of these. Unknown scores pass; pinned items always do.
 */
export function filterItems(input: FilterInput): Filtered {
  const { candidates } = input
  const groups = input.grouped ? groupsOf(candidates) : []
  const pinned = pinnedOf(input, groups)
  return {
    pinned,
    dropped: withGroups(droppedOf(input, pinned), { ...input, pinned }, groups),
    spanning: groups.filter((members) => isSpanning(members, candidates)),
  }
}

/** What is pinned pins its group. */
function pinnedOf(
  { candidates, pins, shut, scope, onlyTexts = false }: FilterInput,
  groups: readonly (readonly number[])[],
): Uint8Array {
  const pinned = new Uint8Array(candidates.length)
  for (const index of pins) {
    const candidate = candidates[index]
    if (candidate !== undefined && (shut === undefined || !isShutOut(candidate, shut))) pinned[index] = 1
  }
  for (const members of groups)
    if (members.some((index) => pinned[index] === 1)) for (const index of members) pinned[index] = 1
  if (scope !== undefined || onlyTexts)
    for (const [index, { item }] of candidates.entries())
      if ((scope !== undefined && isOutOfScope(item, scope)) || (onlyTexts && isBodiless(item))) pinned[index] = 0
  return pinned
}

/** Who has pinned an item wants to see it, whatever becomes of its section. */
function isShutOut({ item }: Candidate, shut: ReadonlySet<Section>): boolean {
  return item.pin !== true && shut.has(item.section)
}

function groupsOf(candidates: readonly Candidate[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  candidates.forEach(({ item: { group } }, index) => {
    if (group === undefined) return
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  })
  return [...groups.values()]
}

function isSpanning(members: readonly number[], candidates: readonly Candidate[]): boolean {
  const [first] = members
  return members.some((index) => candidates[index]?.item.section !== candidates[first ?? 0]?.item.section)
}

function droppedOf(
  { candidates, policy, repeats, free, shut, scope, onlyTexts = false }: FilterInput,
  pinned: Uint8Array,
): ReadonlyMap<number, ReasonCode> {
  const dropped = new Map<number, ReasonCode>()
  const { relevance, freshness, authority } = policy.floors
  const learned = policy.rank?.learned
  const gates = relevance > 0 || freshness > 0 || authority > 0 || learned !== undefined
  if (!gates && !repeats && shut === undefined && scope === undefined && !onlyTexts) return dropped
  const seen = new Set<string>()
  for (const [index, candidate] of candidates.entries()) {
    if (pinned[index] === 1 || free?.[index] === 0) {
      if (isComparable(candidate)) seen.add(candidate.contentHash)
      continue
    }
    if (scope !== undefined && isOutOfScope(candidate.item, scope)) {
      dropped.set(index, 'out-of-scope')
      continue
    }
    if (onlyTexts && isBodiless(candidate.item)) {
      dropped.set(index, 'no-place')
      continue
    }
    if (shut !== undefined && isShutOut(candidate, shut)) {
      dropped.set(index, 'section-budget')
      continue
    }
    const reason =
      reasonAgainst(candidate, policy) ??
      (isOfLittleWorth(candidate.item, learned) ? 'below-floor' : undefined) ??
      (isSeen(candidate, seen) ? 'duplicate' : undefined)
    if (reason !== undefined) dropped.set(index, reason)
  }
  return dropped
}

/** What shares a group with what is left out is left out. */
function withGroups(
  dropped: ReadonlyMap<number, ReasonCode>,
  { free, omitted, pinned }: FilterInput & Pick<Filtered, 'pinned'>,
  groups: readonly (readonly number[])[],
): ReadonlyMap<number, ReasonCode> {
  if (groups.length === 0) return dropped
  const isOut = (index: number): boolean => dropped.has(index) || omitted?.[index] === 1
  const all = new Map(dropped)
  for (const members of groups.filter((group) => group.some(isOut)))
    for (const index of members)
      if (!isOut(index) && pinned[index] !== 1 && free?.[index] !== 0) all.set(index, 'group')
  return all
}

const gated: Readonly<Record<string, true>> = { evidence: true, memory: true, situation: true, tools: true }

function reasonAgainst({ item }: Candidate, { floors }: Pick<Policy, 'floors'>): ReasonCode | undefined {
  if (!Object.hasOwn(gated, item.section)) return undefined
  const relevance = item.scores?.relevance ?? item.provenance?.relevanceScore ?? 1
  if (relevance < floors.relevance) return 'below-floor'
  if (item.section === 'tools') return undefined
  const freshness = item.scores?.freshness ?? 1
  if (freshness < floors.freshness) return item.section === 'evidence' ? 'below-floor' : 'expired'
  const authority = item.scores?.authority ?? item.provenance?.authorityScore ?? 1
  return item.section === 'evidence' && authority < floors.authority ? 'below-floor' : undefined
}

/** Below it, experience says, items of a category do more harm than good. */
const usualLearnedFloor = 0.3

/** Instructions, task and conversation stand whatever was learnt about others like them. */
function isOfLittleWorth(item: Item, learned: LearnedRank | undefined): boolean {
  if (learned === undefined || (isKnownSection(item.section) && !Object.hasOwn(gated, item.section))) return false
  const weight = learnedWeight(item, learned)
  return weight !== undefined && weight < (learned.floor ?? usualLearnedFloor)
}

/** Notes the content, and tells whether it was there before. */
function isSeen(candidate: Candidate, seen: Set<string>): boolean {
  if (!isComparable(candidate)) return false
  if (seen.has(candidate.contentHash)) return true
  seen.add(candidate.contentHash)
  return false
}

/** Conversation and groups are never thinned out as repetition: what was said twice was meant twice. */
function isComparable({ item }: Candidate): boolean {
  return item.text !== '' && item.group === undefined && (item.section === 'evidence' || item.section === 'memory')
}
