import type { CompileInput, Item, ItemLink, LinkMethod, Modality } from '../../core/index.ts'
import { invalidInput, modalityOf, perObjectAndKey } from '../../core/index.ts'
import type { Candidate } from './candidate.ts'
import type { CandidateList } from './read-candidates.ts'

/** Two candidates, of which one was made of the other, by their indexes. */
export interface LinkedPair {
  readonly from: number
  readonly to: number
  readonly method: LinkMethod
  readonly confidence?: number
}

export interface LinkedItems {
  readonly list: CandidateList
  /** In the order of the items; empty where none has links. */
  readonly pairs: readonly LinkedPair[]
  /** By which each end is named. */
  readonly labels: ReadonlyMap<number, string>
}

export type LinkItems = (input: Pick<CompileInput, 'layout'>, list: CandidateList) => LinkedItems

const nothingLinked = { pairs: [], labels: new Map<number, string>() } as const

/**
 * The links of a compile. In a payload those that take part in one have a label, the same for the same label, so that what is known of them is
 * kept; a conversation keeps its own words. Throws `invalid-input` where a link leads nowhere.
 */
export function itemLinker(): LinkItems {
  const labelled = labeller()
  let version = 0
  return (input, list) => {
    if (!list.linked) return { list, ...nothingLinked }
    const pairs = pairsIn(list.candidates)
    const labels = labelsOf(list.candidates, new Set(pairs.flatMap(({ from, to }) => [from, to])))
    if (input.layout !== 'payload') return { list, pairs, labels }
    const candidates = list.candidates.map((candidate, index) => {
      const label = labels.get(index)
      return label === undefined ? candidate : labelled(candidate, label)
    })
    // Numbers of lists that were read go up from 1, and those of other stages are whole, halves or quarters.
    version -= 2
    return { list: { ...list, candidates, version: version - 0.125, unchanged: 0 }, pairs, labels }
  }
}

function pairsIn(candidates: readonly Candidate[]): readonly LinkedPair[] {
  const places = new Map(candidates.map(({ item }, index) => [item.id, index]))
  return candidates.flatMap(({ item }, from) => {
    const seen = new Set<number>()
    return (item.links ?? []).map((link, at): LinkedPair => {
      const to = endOf(link, `items[${from}].links[${at}].itemId`, { from, places, seen })
      seen.add(to)
      const { method, confidence } = link
      return { from, to, method, ...(confidence !== undefined && { confidence }) }
    })
  })
}

interface Ends {
  readonly from: number
  readonly places: ReadonlyMap<string, number>
  /** To which the item has links already. */
  readonly seen: ReadonlySet<number>
}

function endOf({ itemId }: ItemLink, field: string, { from, places, seen }: Ends): number {
  const to = places.get(itemId)
  if (to === undefined)
    throw invalidInput(field, `names no item: ${JSON.stringify(itemId)}`, 'Give that item too, or leave the link out.')
  if (to === from) throw invalidInput(field, 'names the item itself', 'Name the item that it was made of.')
  if (seen.has(to)) throw invalidInput(field, 'is linked twice', 'Give one link to each item.')
  return to
}

const words: Readonly<Record<Modality, string>> = {
  text: 'TEXT',
  image: 'IMG',
  audio: 'AUDIO',
  video: 'VIDEO',
  document: 'DOC',
}

/** `EVIDENCE_IMG_1`: counted over all items of its section and modality, in their order, so that one that comes later renames none. */
function labelsOf(candidates: readonly Candidate[], ends: ReadonlySet<number>): ReadonlyMap<number, string> {
  const counts = new Map<string, number>()
  const labels = new Map<number, string>()
  for (const [index, { item }] of candidates.entries()) {
    const name = `${sectionName(item)}_${words[modalityOf(item)]}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (ends.has(index)) labels.set(index, `${name}_${count}`)
  }
  return labels
}

function sectionName({ section }: Item): string {
  const plain = section.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')
  return plain.replaceAll(/^_+|_+$/g, '') || 'ITEM'
}

function labeller(): (candidate: Candidate, label: string) => Candidate {
  const known = perObjectAndKey<Candidate, Candidate>()
  return (candidate, label) =>
    known(candidate, label, () => {
      const memo = { ...candidate.memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined }
      return { ...candidate, memo, label }
    })
}
