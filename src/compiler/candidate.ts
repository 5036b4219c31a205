import type { Hasher, Item } from '../core/index.ts'
import { contentHasher } from './conversation/item-keys.ts'
import { validateItem } from './validate-item.ts'

/** An item with what the stages need to know about it; made once per item and kept. */
export interface Candidate {
  readonly item: Item
  /** Of what the item is and says, as in ledger keys. */
  readonly contentHash: string
  /** The item as one line of canonical text, its own text as a hash. */
  readonly line: string
}

export interface CandidateReader {
  /** The candidate of the item at `index`; throws where the item is not valid. */
  read(item: Item, index: number): Candidate
}

/** Items are values; one that was changed in place after it was read is read again. */
export function candidateReader(hash: Hasher): CandidateReader {
  const known = new WeakMap<Item, Candidate>()
  const hashOf = contentHasher(hash)
  return {
    read(item, index) {
      const candidate = typeof item === 'object' && item !== null ? known.get(item) : undefined
      if (candidate !== undefined && isSame(candidate.item, item)) return candidate
      validateItem(item, index)
      const copy = { ...item }
      const contentHash = hashOf(copy)
      const made = { item: copy, contentHash, line: lineOf(copy, contentHash) }
      known.set(item, made)
      return made
    },
  }
}

function isSame(a: Item, b: Item): boolean {
  return (
    a.text === b.text &&
    a.id === b.id &&
    a.section === b.section &&
    a.kind === b.kind &&
    a.scores === b.scores &&
    a.provenance === b.provenance &&
    a.pin === b.pin &&
    a.group === b.group &&
    a.role === b.role &&
    a.status === b.status &&
    a.tokens === b.tokens
  )
}

function lineOf(item: Item, contentHash: string): string {
  const { provenance, scores } = item
  return JSON.stringify([
    [item.id, item.section, item.kind, contentHash, item.role, item.authority, item.trust],
    [item.birthTurn, item.pin, item.group, item.toolName, item.toolCallId, item.status, item.tokens, item.frozen],
    provenance && [
      provenance.sourceId,
      provenance.uri,
      provenance.retrievedAt,
      provenance.authorityScore,
      provenance.relevanceScore,
      provenance.span,
      provenance.lineage,
    ],
    scores && [scores.relevance, scores.authority, scores.freshness, scores.utility],
  ])
}
