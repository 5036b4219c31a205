import type { Item } from '../../core/index.ts'
import { isFixed } from '../../core/index.ts'

/** What items said when they were read, in the order of a list. */
export interface SeenItems {
  push(item: Item): void
  /** Forgets what comes behind. */
  shorten(length: number): void
  /**
   * How many of the first items, which are the same objects, still say what they said. What is not known here is looked up.
   */
  asSeen(items: readonly Item[], length: number, lookUp: (index: number, item: Item) => boolean): number
}

/** What most items have, side by side: all of them are compared at every request, and copies of items lie anywhere. */
interface Seen {
  /** Whether it has no more than this. */
  readonly isUsual: boolean
  readonly members: number
  readonly id: string
  readonly text: string
  readonly section: string
  readonly kind: string
  readonly role: Item['role']
  readonly hasScores: boolean
  readonly relevance: number
  readonly authority: number
  readonly freshness: number
  readonly hasProvenance: boolean
  readonly sourceId: string | undefined
  readonly uri: string | undefined
}

/** What is frozen cannot change, and is not looked at. */
export function seenItems(): SeenItems {
  const seen: Seen[] = []
  /** Where each of them stands in the list. */
  const places: number[] = []
  let count = 0
  return {
    push(item) {
      if (!isFixed(item)) {
        seen.push(seenOf(item))
        places.push(count)
      }
      count += 1
    },
    shorten(length) {
      if (length === count) return
      count = length
      while ((places.at(-1) ?? -1) >= length) {
        places.pop()
        seen.pop()
      }
    },
    asSeen(items, length, lookUp) {
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at] ?? length
        if (place >= length) break
        const item = items[place]
        const before = seen[at]
        if (item === undefined || before === undefined) return place
        if (before.isUsual) {
          if (!saysTheSame(item, before)) return place
        } else if (!lookUp(place, item)) return place
      }
      return length
    },
  }
}

function saysTheSame(item: Item, before: Seen): boolean {
  // `Object.is` does not look into texts that are the same object: what they say lies anywhere in memory.
  return (
    Object.is(item.text, before.text) &&
    Object.is(item.id, before.id) &&
    Object.is(item.section, before.section) &&
    Object.is(item.kind, before.kind) &&
    Object.is(item.role, before.role) &&
    memberCount(item) === before.members &&
    hasSameScores(item.scores, before) &&
    hasSameOrigin(item.provenance, before)
  )
}

/** No score is below 0. */
const absent = -1

function seenOf(item: Item): Seen {
  const { id, text, section, kind, role, scores, provenance } = item
  return {
    isUsual: isUsual(item),
    members: memberCount(item),
    id,
    text,
    section,
    kind,
    role,
    hasScores: scores !== undefined,
    relevance: scores?.relevance ?? absent,
    authority: scores?.authority ?? absent,
    freshness: scores?.freshness ?? absent,
    hasProvenance: provenance !== undefined,
    sourceId: provenance?.sourceId,
    uri: provenance?.uri,
  }
}

function hasSameScores(now: Item['scores'], before: Seen): boolean {
  if (now === undefined) return !before.hasScores
  return (
    before.hasScores &&
    (now.relevance ?? absent) === before.relevance &&
    (now.authority ?? absent) === before.authority &&
    (now.freshness ?? absent) === before.freshness &&
    now.utility === undefined &&
    now.confidence === undefined &&
    now.pragmatic === undefined &&
    now.epistemic === undefined &&
    now.affective === undefined &&
    now.urgency === undefined
  )
}

function hasSameOrigin(now: Item['provenance'], before: Seen): boolean {
  if (now === undefined) return !before.hasProvenance
  return (
    before.hasProvenance &&
    Object.is(now.sourceId, before.sourceId) &&
    Object.is(now.uri, before.uri) &&
    now.title === undefined &&
    now.retrievedAt === undefined &&
    now.authorityScore === undefined &&
    now.relevanceScore === undefined &&
    now.lineage === undefined &&
    now.span === undefined
  )
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

/** Of items with no members but those that are kept, it differs where one of them has come or gone. */
function memberCount(item: Item): number {
  let count = 0
  for (const _ in item) count += 1
  return count
}
