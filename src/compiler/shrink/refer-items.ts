import type { CompileInput, Hasher, Item, ItemSimilarity, Rendition } from '../../core/index.ts'
import { authorities, referenceFigures, sectionInfo } from '../../core/index.ts'
import { nearDuplicates, writeReference } from '../../ladders/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { slotOf, wireOrder } from '../forms/slot.ts'

/** An item that is shown as a reference to another. */
export interface ItemReference {
  /** Of the candidate. */
  readonly index: number
  readonly id: string
  /** What it refers to; it stands whole, and before it. */
  readonly toId: string
  readonly text: string
}

export interface ReferredItems {
  readonly list: CandidateList
  /** Absent where the policy makes none. */
  readonly references?: readonly ItemReference[]
}

/** `refused` are indexes of items that must stand by themselves. */
export type ReferItems = (input: CompileInput, list: CandidateList, refused: ReadonlySet<number>) => ReferredItems

interface Parts {
  readonly hash: Hasher
  itemTokens(item: Item, text?: string): number
}

/**
 * Candidates of which those that say what one of another section says are references to it, where that saves tokens. Of several that say the same
 * the one that stands first in the request stays, of equals the one with the most authority.
 */
export function itemReferrer({ hash, itemTokens }: Parts): ReferItems {
  let version = 0.5
  const tokensOf = ({ item, memo }: Candidate): number => item.tokens ?? (memo.tokens ??= itemTokens(item))
  return (input, list, refused) => {
    const figures = referenceFigures(input.policy.references)
    if (figures === undefined) return { list }
    const found = referencesIn(input, list, figures.similarity)
    const candidates = [...list.candidates]
    const references: ItemReference[] = []
    for (const { index, to, similarity } of found) {
      const [candidate, keeper] = [candidates[index], candidates[to]]
      if (candidate === undefined || keeper === undefined || refused.has(index)) continue
      const whole = referenceTo(keeper.item, { candidate, similarity, input, hash })
      if (whole === undefined) continue
      const tokens = itemTokens(candidate.item, whole.text)
      // Each further copy saves what it takes less what its reference takes.
      if (tokens >= tokensOf(candidate)) continue
      const fresh = { ...candidate.memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined }
      candidates[index] = { ...candidate, memo: fresh, whole: { ...whole, tokens }, refers: true }
      candidates[to] = { ...keeper, isReferredTo: true }
      references.push({ index, id: candidate.item.id, toId: keeper.item.id, text: whole.text })
    }
    // Numbers of lists that were read go up from 1; nothing that was made of another list is taken over.
    version -= 2
    const own = refused.size === 0 ? {} : { standAlone: refused }
    if (references.length + refused.size === 0) return { list, references }
    return { list: { ...list, ...own, candidates, version, unchanged: 0 }, references }
  }
}

interface Found {
  readonly index: number
  readonly to: number
  readonly similarity: number
}

function referencesIn(input: CompileInput, { candidates }: CandidateList, similarity: number): readonly Found[] {
  const compared = Array.from(candidates.keys()).filter((index) => isComparable(candidates[index]))
  const items = compared.map((index) => candidates[index]?.item as Item)
  const given = similarityReader(input.similarities)
  const pairs = nearDuplicates(
    items.map(({ text }) => text),
    {
      similarity,
      ...(given && { given: (a, b) => given(items[a]?.id ?? '', items[b]?.id ?? '') }),
      compares: (a, b) => items[a]?.section !== items[b]?.section,
    },
  )
  const isReplaceable = (at: number): boolean => mayRefer(candidates[compared[at] ?? 0])
  const before = placeIn(input, items)
  const best = new Map<number, { readonly to: number; readonly similarity: number }>()
  for (const { a, b, similarity: alike } of pairs) {
    const [to, index] = before(a, b) ? [a, b] : [b, a]
    const known = best.get(index)
    if (isReplaceable(index) && (known === undefined || before(to, known.to)))
      best.set(index, { to, similarity: alike })
  }
  // What is referred to refers to nothing itself.
  return Array.from(best, ([index, { to, similarity: alike }]) => ({ index, to, similarity: alike }))
    .filter(({ to }) => !best.has(to))
    .map(({ index, to, similarity: alike }) => ({
      index: compared[index] ?? 0,
      to: compared[to] ?? 0,
      similarity: alike,
    }))
    .toSorted((one, other) => one.index - other.index)
}

/** Shorter texts are said again sooner than referred to. */
const shortestText = 80
/** What is longer is no passage. */
const longestText = 200_000

function isComparable(candidate: Candidate | undefined): boolean {
  if (candidate === undefined || candidate.dress !== undefined) return false
  const { text, kind } = candidate.item
  return (
    text.length >= shortestText &&
    text.length <= longestText &&
    kind !== 'opaque' &&
    kind !== 'media' &&
    kind !== 'tool-schema' &&
    kind !== 'tool-call' &&
    kind !== 'tool-result'
  )
}

/** What was looked up or remembered; what is said in a conversation is said at its place, and a group stands and falls together. */
function mayRefer(candidate: Candidate | undefined): boolean {
  if (candidate === undefined || candidate.pinned) return false
  const { section, group, frozen } = candidate.item
  return group === undefined && frozen !== true && section !== 'history' && section !== 'tools'
}

/** Whether one item goes before another: by where it stands in the request, then by its authority. */
function placeIn(input: CompileInput, items: readonly Item[]): (a: number, b: number) => boolean {
  const isConversation = input.layout === 'messages'
  const slot = (at: number): number => {
    const item = items[at]
    return item === undefined || isConversation ? 0 : wireOrder.indexOf(slotOf(item))
  }
  return (a, b) => {
    const [one, other] = [items[a], items[b]]
    if (one === undefined || other === undefined || isConversation) return a < b
    return (slot(a) - slot(b) || rankOf(one) - rankOf(other) || scoreOf(other) - scoreOf(one) || a - b) < 0
  }
}

function rankOf({ authority, section }: Item): number {
  return authorities.indexOf(authority ?? sectionInfo(section).authority)
}

function scoreOf({ scores, provenance }: Item): number {
  return scores?.authority ?? provenance?.authorityScore ?? 0
}

function similarityReader(
  given: readonly ItemSimilarity[] | undefined,
): ((a: string, b: string) => number | undefined) | undefined {
  if (given === undefined || given.length === 0) return undefined
  const known = new Map(
    given.flatMap(({ a, b, similarity }) => [
      [`${a}\n${b}`, similarity],
      [`${b}\n${a}`, similarity],
    ]),
  )
  return (a, b) => known.get(`${a}\n${b}`)
}

interface Referring {
  readonly candidate: Candidate
  readonly similarity: number
  readonly input: Pick<CompileInput, 'handleKey' | 'rehydration'>
  readonly hash: Hasher
}

/** Where no handle can be followed only what is the very same is referred to. */
function referenceTo(
  keeper: Item,
  { candidate, similarity, input: { handleKey = '', rehydration = false }, hash }: Referring,
): Omit<Rendition, 'tokens'> | undefined {
  const isSame = similarity === 1
  if (!isSame && !rehydration) return undefined
  const handle = handleFrom(hash, handleKey, candidate.contentHash)
  const name = keeper.provenance?.sourceId ?? keeper.id
  const text = writeReference({ name, text: keeper.text, ...(rehydration && { handle }) })
  // All that it says stands in the pack, and only its words may be others.
  return { rung: 'lossless', text, fidelity: isSame ? 1 : similarity, handle }
}
