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

const scoresKept = 3

/**
 * Keeps what most items have, a column for each member: all of them are compared at every request, and a column is read in the
 * order of memory, where copies of items lie anywhere. What has more than that is not known here, and what is frozen need not be.
 */
export function seenItems(): SeenItems {
  const fixed: boolean[] = []
  const usual: boolean[] = []
  const counts: number[] = []
  const ids: string[] = []
  const texts: string[] = []
  const sections: string[] = []
  const kinds: string[] = []
  const roles: Item['role'][] = []
  const sourceIds: (string | undefined)[] = []
  const uris: (string | undefined)[] = []
  const scores: (number | undefined)[] = []
  const columns = [fixed, usual, counts, ids, texts, sections, kinds, roles, sourceIds, uris]
  return {
    push(item) {
      fixed.push(isFixed(item))
      usual.push(isUsual(item))
      counts.push(membersOf(item))
      ids.push(item.id)
      texts.push(item.text)
      sections.push(item.section)
      kinds.push(item.kind)
      roles.push(item.role)
      sourceIds.push(item.provenance?.sourceId)
      uris.push(item.provenance?.uri)
      scores.push(item.scores?.relevance, item.scores?.authority, item.scores?.freshness)
    },
    shorten(length) {
      for (const column of columns) column.length = length
      scores.length = length * scoresKept
    },
    isAsSeen(index, item) {
      if (fixed[index] === true) return true
      if (usual[index] !== true) return undefined
      if (
        item.text !== texts[index] ||
        item.id !== ids[index] ||
        item.section !== sections[index] ||
        item.kind !== kinds[index] ||
        item.role !== roles[index] ||
        membersOf(item) !== counts[index]
      )
        return false
      const { scores: now, provenance } = item
      const at = index * scoresKept
      return (
        now?.relevance === scores[at] &&
        now?.authority === scores[at + 1] &&
        now?.freshness === scores[at + 2] &&
        provenance?.sourceId === sourceIds[index] &&
        provenance?.uri === uris[index]
      )
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
  for (const name in value) if (name !== '') count += 1
  return count
}

/** More than anything has that is compared so. */
const most = 1024

/** Of an item, of its scores and of its provenance, in one number. */
function membersOf(item: Item): number {
  return (memberCount(item) * most + memberCount(item.scores)) * most + memberCount(item.provenance)
}
