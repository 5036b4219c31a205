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
  const ids: string[] = []
  const texts: string[] = []
  const sections: string[] = []
  const kinds: string[] = []
  const roles: Item['role'][] = []
  const sourceIds: (string | undefined)[] = []
  const uris: (string | undefined)[] = []
  const scores: (number | undefined)[] = []
  const columns = [fixed, usual, ids, texts, sections, kinds, roles, sourceIds, uris]
  return {
    push(item) {
      fixed.push(isFixed(item))
      usual.push(isUsual(item))
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
        hasMore(item)
      )
        return false
      const { scores: now, provenance } = item
      return hasScores(now, scores, index * scoresKept) && hasOrigin(provenance, sourceIds[index], uris[index])
    },
  }
}

function hasScores(now: Item['scores'], kept: readonly (number | undefined)[], at: number): boolean {
  if (now === undefined) return kept[at] === undefined && kept[at + 1] === undefined && kept[at + 2] === undefined
  return (
    now.relevance === kept[at] &&
    now.authority === kept[at + 1] &&
    now.freshness === kept[at + 2] &&
    now.utility === undefined &&
    now.confidence === undefined &&
    now.pragmatic === undefined &&
    now.epistemic === undefined &&
    now.affective === undefined &&
    now.urgency === undefined
  )
}

function hasOrigin(now: Item['provenance'], sourceId: string | undefined, uri: string | undefined): boolean {
  if (now === undefined) return sourceId === undefined
  return (
    now.sourceId === sourceId &&
    now.uri === uri &&
    now.title === undefined &&
    now.retrievedAt === undefined &&
    now.authorityScore === undefined &&
    now.relevanceScore === undefined &&
    now.span === undefined &&
    now.lineage === undefined
  )
}

/** Whether an item says more than what is kept. Asking for each member by its name takes half as long as counting those that are there. */
function hasMore(item: Item): boolean {
  return (
    item.authority !== undefined ||
    item.trust !== undefined ||
    item.birthTurn !== undefined ||
    item.category !== undefined ||
    item.pin !== undefined ||
    item.group !== undefined ||
    item.toolName !== undefined ||
    item.toolCallId !== undefined ||
    item.status !== undefined ||
    item.tokens !== undefined ||
    item.media !== undefined ||
    item.links !== undefined ||
    item.frozen !== undefined ||
    item.citable !== undefined ||
    item.wordWeights !== undefined ||
    item.scope !== undefined
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
  const members = Object.entries(value)
  if (members.length === 0 || Object.getPrototypeOf(value) !== Object.prototype) return false
  return members.every(([name, member]) => kept.has(name) && member !== undefined)
}
