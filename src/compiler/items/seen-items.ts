import type { Item } from '../../core/index.ts'
import { isFixed } from '../../core/index.ts'

/** What items said when they were read, in the order of a list. */
export interface SeenItems {
  push(item: Item): void
  /** Forgets what comes behind. */
  shorten(length: number): void
  /** Whether the item, which is the same object, still says what it said; undefined where that has to be looked up. */
  isAsSeen(index: number, item: Item): boolean | undefined
}

const isUnknown = 0
const isKept = 1
const isAsItWas = 2

const scoresKept = 3
/** No score is below 0. */
const absent = -1

/**
 * Keeps what most items have, a column for each member: all of them are compared at every request, and a column is read in the
 * order of memory, where copies of items lie anywhere. What has more than that is not known here, and what is frozen need not be.
 */
export function seenItems(): SeenItems {
  const states: number[] = []
  const counts: number[] = []
  const ids: string[] = []
  const texts: string[] = []
  const sections: string[] = []
  const kinds: string[] = []
  const roles: Item['role'][] = []
  const sourceIds: (string | undefined)[] = []
  const uris: (string | undefined)[] = []
  const scores: number[] = []
  const columns = [states, counts, ids, texts, sections, kinds, roles, sourceIds, uris]
  return {
    push(item) {
      states.push(isFixed(item) ? isAsItWas : isUsual(item) ? isKept : isUnknown)
      counts.push(membersOf(item))
      ids.push(item.id)
      texts.push(item.text)
      sections.push(item.section)
      kinds.push(item.kind)
      roles.push(item.role)
      sourceIds.push(item.provenance?.sourceId)
      uris.push(item.provenance?.uri)
      const { relevance = absent, authority = absent, freshness = absent } = item.scores ?? {}
      scores.push(relevance, authority, freshness)
    },
    shorten(length) {
      for (const column of columns) column.length = length
      scores.length = length * scoresKept
    },
    isAsSeen(index, item) {
      const state = states[index]
      if (state !== isKept) return state === isAsItWas ? true : undefined
      // `Object.is` does not look into texts that are the same object: what they say lies anywhere in memory.
      if (
        !Object.is(item.text, texts[index]) ||
        !Object.is(item.id, ids[index]) ||
        !Object.is(item.section, sections[index]) ||
        !Object.is(item.kind, kinds[index]) ||
        !Object.is(item.role, roles[index]) ||
        membersOf(item) !== counts[index]
      )
        return false
      const { scores: now, provenance } = item
      const at = index * scoresKept
      if (
        now !== undefined &&
        ((now.relevance ?? absent) !== scores[at] ||
          (now.authority ?? absent) !== scores[at + 1] ||
          (now.freshness ?? absent) !== scores[at + 2])
      )
        return false
      return Object.is(provenance?.sourceId, sourceIds[index]) && Object.is(provenance?.uri, uris[index])
    },
  }
}

const keptMembers: ReadonlySet<string> = new Set(['id', 'text', 'section', 'kind', 'role', 'scores', 'provenance'])
const keptScores: ReadonlySet<string> = new Set(['relevance', 'authority', 'freshness'])
const keptOrigins: ReadonlySet<string> = new Set(['sourceId', 'uri'])

/** Whether an item has no members but those that are kept, not even ones that say nothing yet. */
function isUsual(item: Item): boolean {
  return hasOnly(item, keptMembers) && hasOnly(item.scores, keptScores) && hasOnly(item.provenance, keptOrigins)
}

function hasOnly(value: object | undefined, kept: ReadonlySet<string>): boolean {
  if (value === undefined) return true
  for (const name in value)
    if (!kept.has(name) || (value as Readonly<Record<string, unknown>>)[name] === undefined) return false
  return Object.getPrototypeOf(value) === Object.prototype
}

/** Of values with no members but those that are kept, it differs where one of them has come or gone. */
function memberCount(value: object | undefined): number {
  let count = 0
  for (const _ in value) count += 1
  return count
}

/** More than anything has that is compared so. */
const most = 1024

/** Of an item, of its scores and of its provenance, in one number. */
function membersOf(item: Item): number {
  const { scores, provenance } = item
  const own = memberCount(item) * most * most
  return scores === undefined && provenance === undefined
    ? own
    : own + memberCount(scores) * most + memberCount(provenance)
}
