import type { Item, ManifestDecision } from '../core/index.ts'
import { stableJson } from '../core/index.ts'
import type { ContentHasher } from './conversation/item-keys.ts'
import type { Shown, ShownLadder } from './shown-form.ts'
import { validateItem } from './validate-item.ts'

/** An item with what the stages need to know about it; made once per item and kept. */
export interface Candidate {
  readonly item: Item
  /** Of what the item is and says, as in ledger keys. */
  readonly contentHash: string
  /** The item as one line of canonical text that ends with the hash of its content. */
  readonly line: string
  readonly memo: CandidateMemo
}

/** What the stages have made of a candidate so far. It saves work and never changes an answer. */
export interface CandidateMemo {
  /** Tokens of the item as it came. */
  tokens: number | undefined
  full: Shown | undefined
  ladder: ShownLadder | undefined
  decision: ManifestDecision | undefined
  handle: { readonly key: string; readonly handle: string } | undefined
}

export interface CandidateReader {
  /** The candidate of the item at `index`; throws where the item is not valid. */
  read(item: Item, index: number): Candidate
}

/** Items are values; one that was changed in place after it was read is read again. */
export function candidateReader(contentHash: ContentHasher): CandidateReader {
  const known = new WeakMap<Item, Candidate>()
  return {
    read(item, index) {
      const candidate = typeof item === 'object' && item !== null ? known.get(item) : undefined
      if (candidate !== undefined && isUnchanged(candidate, item)) return candidate
      validateItem(item, index)
      const copy = { ...item }
      const digest = contentHash(copy)
      const memo = { tokens: undefined, full: undefined, ladder: undefined, decision: undefined, handle: undefined }
      const made = { item: copy, contentHash: digest, line: lineOf(copy, digest), memo }
      known.set(item, made)
      return made
    },
  }
}

/** Whether the item still is what the candidate was read from. */
export function isUnchanged({ item: before }: Candidate, item: Item): boolean {
  return (
    before.text === item.text &&
    before.id === item.id &&
    before.section === item.section &&
    before.kind === item.kind &&
    before.scores === item.scores &&
    before.provenance === item.provenance &&
    before.pin === item.pin &&
    before.group === item.group &&
    before.role === item.role &&
    before.status === item.status &&
    before.tokens === item.tokens &&
    before.media === item.media
  )
}

function lineOf(item: Item, contentHash: string): string {
  const { provenance, scores, media } = item
  const fields = JSON.stringify([
    [item.id, item.section, item.kind, item.role, item.authority, item.trust],
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
    ...(media === undefined ? [] : [stableJson(media)]),
  ])
  return `${fields} ${contentHash}`
}
