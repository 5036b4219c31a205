import type { Hasher, Item, Section } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import { candidateReader, isUnchanged } from './candidate.ts'

/** The candidates of a compile, in order, and what is known about all of them. */
export interface CandidateList {
  readonly candidates: readonly Candidate[]
  /** In any order. */
  readonly sections: readonly Section[]
  /** Whether content may stand twice. */
  readonly repeats: boolean
  readonly grouped: boolean
}

export type ReadCandidates = (items: readonly Item[]) => CandidateList

/**
 * Reads items; throws where one is not valid or an id stands twice. Most requests are the one before and a little more,
 * so what both begin with is not looked at again.
 */
export function candidatesReader(hash: Hasher): ReadCandidates {
  const reader = candidateReader(hash)
  let items: readonly Item[] = []
  let last = emptyList()
  return (next) => {
    const list = last
    shorten(list, commonLength(items, list.candidates, next))
    // Until all of it is read, nothing may be built on it.
    items = []
    last = emptyList()
    for (let index = list.candidates.length; index < next.length; index += 1) {
      const item = next[index] as Item
      const candidate = reader.read(item, index)
      const first = list.places.get(item.id)
      if (first !== undefined)
        throw invalidInput(
          `items[${index}].id`,
          `is the id of items[${first}] too`,
          'Give every item an id of its own.',
        )
      append(list, candidate)
    }
    items = [...next]
    last = list
    return {
      candidates: [...list.candidates],
      sections: [...list.sections.keys()],
      repeats: list.repeats,
      grouped: list.grouped > 0,
    }
  }
}

interface GrowingList {
  readonly candidates: Candidate[]
  readonly sections: Map<Section, number>
  readonly places: Map<string, number>
  /** Contents that stood in the list at some time. */
  readonly contents: Set<string>
  repeats: boolean
  grouped: number
}

function emptyList(): GrowingList {
  return {
    candidates: [],
    sections: new Map(),
    places: new Map(),
    contents: new Set(),
    repeats: false,
    grouped: 0,
  }
}

function append(list: GrowingList, candidate: Candidate): void {
  const { item, contentHash } = candidate
  list.places.set(item.id, list.candidates.length)
  list.candidates.push(candidate)
  list.sections.set(item.section, (list.sections.get(item.section) ?? 0) + 1)
  if (item.group !== undefined) list.grouped += 1
  if (list.contents.has(contentHash)) list.repeats = true
  list.contents.add(contentHash)
}

/** Takes the end off; what stood there may still be taken for a repetition, which costs work and changes nothing. */
function shorten(list: GrowingList, length: number): void {
  for (const { item } of list.candidates.splice(length)) {
    list.places.delete(item.id)
    if (item.group !== undefined) list.grouped -= 1
    const count = (list.sections.get(item.section) ?? 1) - 1
    if (count === 0) list.sections.delete(item.section)
    else list.sections.set(item.section, count)
  }
}

function commonLength(items: readonly Item[], candidates: readonly Candidate[], next: readonly Item[]): number {
  let length = 0
  for (const item of items) {
    const candidate = candidates[length]
    if (next[length] !== item || candidate === undefined || !isUnchanged(candidate, item)) break
    length += 1
  }
  return length
}
