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
        !isUsual(item)
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

/** Whether an item has no members but those that are kept. */
function isUsual(item: Item): boolean {
  return (
    item.authority === undefined &&
    item.trust === undefined &&
    item.birthTurn === undefined &&
    item.category === undefined &&
    item.pin === undefined &&
    item.group === undefined &&
    item.toolName === undefined &&
    item.toolCallId === undefined &&
    item.status === undefined &&
    item.tokens === undefined &&
    item.frozen === undefined &&
    item.citable === undefined &&
    item.wordWeights === undefined &&
    item.scope === undefined &&
    item.media === undefined &&
    hasUsualScores(item.scores) &&
    hasUsualOrigin(item.provenance)
  )
}

/** An empty object cannot be told from none by what it holds. */
function hasUsualScores(scores: Item['scores']): boolean {
  return (
    scores === undefined ||
    (scores.relevance !== undefined &&
      scores.utility === undefined &&
      scores.confidence === undefined &&
      scores.pragmatic === undefined &&
      scores.epistemic === undefined &&
      scores.affective === undefined &&
      scores.urgency === undefined)
  )
}

function hasUsualOrigin(provenance: Item['provenance']): boolean {
  return (
    provenance === undefined ||
    (provenance.title === undefined &&
      provenance.retrievedAt === undefined &&
      provenance.authorityScore === undefined &&
      provenance.relevanceScore === undefined &&
      provenance.lineage === undefined &&
      provenance.span === undefined)
  )
}
