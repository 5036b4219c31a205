import type { Hasher, Item } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import { candidateReader, isUnchanged } from './candidate.ts'

/** The candidates of a compile, in order. */
export type ReadCandidates = (items: readonly Item[]) => readonly Candidate[]

/**
 * Reads items; throws where one is not valid or an id stands twice. Most requests are the one before and a little more,
 * so what both begin with is not looked at again.
 */
export function candidatesReader(hash: Hasher): ReadCandidates {
  const reader = candidateReader(hash)
  let items: readonly Item[] = []
  let candidates: readonly Candidate[] = []
  let places = new Map<string, number>()
  return (next) => {
    const same = commonLength(items, candidates, next)
    const known =
      same === items.length ? places : new Map(candidates.slice(0, same).map(({ item }, at) => [item.id, at]))
    const read = candidates.slice(0, same)
    // Until all of it is read, nothing may be built on it.
    items = []
    candidates = []
    places = new Map()
    for (let index = same; index < next.length; index += 1) {
      const item = next[index] as Item
      const candidate = reader.read(item, index)
      const first = known.get(item.id)
      if (first !== undefined)
        throw invalidInput(
          `items[${index}].id`,
          `is the id of items[${first}] too`,
          'Give every item an id of its own.',
        )
      known.set(item.id, index)
      read.push(candidate)
    }
    items = [...next]
    candidates = read
    places = known
    return read
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
