import type { Item, Section } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { Candidate, CandidateReader } from './candidate.ts'
import { isUnchanged } from './candidate.ts'
import { seenItems } from './seen-items.ts'
import type { SeenItems } from './seen-items.ts'

/** The candidates of a compile, in order, and what is known about all of them. */
export interface CandidateList {
  readonly candidates: readonly Candidate[]
  /** Number of this list, and how much of it is as it was in the list before. */
  readonly version: number
  readonly unchanged: number
  /** In any order. */
  readonly sections: readonly Section[]
  /** Indexes of those that are pinned; few are. */
  readonly pins: readonly number[]
  /** Whether content may stand twice. */
  readonly repeats: boolean
  readonly grouped: boolean
  /** Whether any of them is opaque and has no text. */
  readonly bodiless: boolean
  /** Whether any of them is private to a step or an agent. */
  readonly scoped: boolean
  /** Whether any of them is a call of a tool. */
  readonly called: boolean
  /** Whether any of them was made of another. */
  readonly linked: boolean
  /** Indexes of items that must not stand as references to others, though some of them have stood so in earlier requests. */
  readonly standAlone?: ReadonlySet<number>
  /** Where the policy's compression may shorten any of them: whether all that it may are, whatever has room. */
  readonly compressed?: 'everything' | 'what-does-not-fit'
}

export type ReadCandidates = (items: readonly Item[]) => CandidateList

/**
 * Reads items; throws where one is not valid or an id stands twice. Most requests are the one before and a little more,
 * so what both begin with is not looked at again.
 */
export function candidatesReader(reader: CandidateReader): ReadCandidates {
  const seen = seenItems()
  let items: Item[] = []
  let last = emptyList()
  let before: CandidateList | undefined
  let version = 0
  return (next) => {
    const unchanged = commonLength({ items, seen, candidates: last.candidates }, next)
    if (before !== undefined && unchanged === items.length && unchanged === next.length) {
      version += 1
      before = { ...before, version, unchanged }
      return before
    }
    const list = unchanged === 0 ? emptyList() : last
    shorten(list, unchanged)
    seen.shorten(unchanged)
    // Until all of it is read, nothing may be built on it.
    version += 1
    const own = items
    own.length = unchanged
    items = []
    last = emptyList()
    before = undefined
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
      seen.push(item)
      own.push(item)
    }
    items = own
    last = list
    before = {
      candidates: list.candidates.slice(),
      version,
      unchanged,
      sections: [...list.sections.keys()],
      pins: [...list.pins],
      repeats: list.repeats,
      grouped: list.grouped > 0,
      scoped: list.scoped > 0,
      linked: list.linked > 0,
      called: list.called > 0,
      bodiless: list.bodiless > 0,
    }
    return before
  }
}

interface GrowingList {
  readonly candidates: Candidate[]
  readonly sections: Map<Section, number>
  readonly pins: number[]
  readonly places: Map<string, number>
  /** Contents that stood in the list at some time. */
  readonly contents: Set<string>
  repeats: boolean
  grouped: number
  scoped: number
  linked: number
  called: number
  bodiless: number
}

function emptyList(): GrowingList {
  return {
    candidates: [],
    sections: new Map(),
    pins: [],
    places: new Map(),
    contents: new Set(),
    repeats: false,
    grouped: 0,
    scoped: 0,
    linked: 0,
    called: 0,
    bodiless: 0,
  }
}

function append(list: GrowingList, candidate: Candidate): void {
  const { item, contentHash } = candidate
  list.places.set(item.id, list.candidates.length)
  if (candidate.pinned) list.pins.push(list.candidates.length)
  list.candidates.push(candidate)
  list.sections.set(item.section, (list.sections.get(item.section) ?? 0) + 1)
  if (item.group !== undefined) list.grouped += 1
  if (item.scope !== undefined) list.scoped += 1
  if (item.links !== undefined && item.links.length > 0) list.linked += 1
  if (item.kind === 'tool-call') list.called += 1
  if (isBodiless(item)) list.bodiless += 1
  if (list.contents.has(contentHash)) list.repeats = true
  list.contents.add(contentHash)
}

/** Takes the end off; what stood there may still be taken for a repetition, which costs work and changes nothing. */
function shorten(list: GrowingList, length: number): void {
  while ((list.pins.at(-1) ?? -1) >= length) list.pins.pop()
  for (const { item } of list.candidates.splice(length)) {
    list.places.delete(item.id)
    if (item.group !== undefined) list.grouped -= 1
    if (item.scope !== undefined) list.scoped -= 1
    if (item.links !== undefined && item.links.length > 0) list.linked -= 1
    if (item.kind === 'tool-call') list.called -= 1
    if (isBodiless(item)) list.bodiless -= 1
    const count = (list.sections.get(item.section) ?? 1) - 1
    if (count === 0) list.sections.delete(item.section)
    else list.sections.set(item.section, count)
  }
}

/** What only the provider knows the form of, and a text layout cannot say. */
export function isBodiless({ kind, text }: Item): boolean {
  return kind === 'opaque' && text === ''
}

/** How many candidates two lists begin with in common, as far as that is known. */
export function sharedLength(list: CandidateList, version: number): number {
  if (list.version === version) return list.candidates.length
  return list.version === version + 1 ? list.unchanged : 0
}

interface Before {
  readonly items: readonly Item[]
  readonly seen: SeenItems
  readonly candidates: readonly Candidate[]
}

/** How many items two requests begin with in common. */
function commonLength({ items, seen, candidates }: Before, next: readonly Item[]): number {
  const most = Math.min(items.length, next.length)
  let same = 0
  // A loop of its own knows what lists it reads.
  while (same < most && Object.is(next[same], items[same])) same += 1
  return seen.asSeen(next, same, (index, item) => isUnchanged(candidates[index], item))
}
