import type { Item } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import type { Candidate, CandidateReader } from './candidate.ts'

/** The candidates of a compile; throws where an item is not valid or an id stands twice. */
export function readCandidates(items: readonly Item[], reader: CandidateReader): readonly Candidate[] {
  const ids = new Map<string, number>()
  return items.map((item, index) => {
    const candidate = reader.read(item, index)
    const first = ids.get(item.id)
    if (first !== undefined)
      throw invalidInput(`items[${index}].id`, `is the id of items[${first}] too`, 'Give every item an id of its own.')
    ids.set(item.id, index)
    return candidate
  })
}
