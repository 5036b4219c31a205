import type { Item } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import type { Candidate } from './items/candidate.ts'

/** Everything that evidence can say about its origin. */
const fields: Readonly<Record<string, (provenance: NonNullable<Item['provenance']>) => unknown>> = {
  retrievedAt: ({ retrievedAt }) => retrievedAt,
  authorityScore: ({ authorityScore }) => authorityScore,
  relevanceScore: ({ relevanceScore }) => relevanceScore,
  span: ({ span }) => span,
  lineage: ({ lineage }) => lineage,
}

/** Throws `invalid-input` that names the first thing that a piece of evidence does not say about its origin. */
export function validateProvenance(candidates: readonly Candidate[]): void {
  for (const [index, { item }] of candidates.entries()) {
    if (item.section !== 'evidence' || item.provenance === undefined) continue
    for (const [name, read] of Object.entries(fields))
      if (read(item.provenance) === undefined)
        throw invalidInput(`items[${index}].provenance.${name}`, 'is missing', 'The policy asks for full provenance.')
  }
}
