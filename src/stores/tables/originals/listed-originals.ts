import { compareCodeUnits } from '../../../core/index.ts'
import type { ListedOriginal, Original, OriginalsQuery } from './original.ts'

/** Those of the kind and the reason that are asked for, without their texts, in the order of their handles. */
export function listedOriginals(
  originals: readonly (ListedOriginal | Original)[],
  query: OriginalsQuery,
): readonly ListedOriginal[] {
  return chosenOriginals(
    originals.toSorted((one, other) => compareCodeUnits(one.handle, other.handle)),
    query,
  )
}

/** The same in the order in which they stand. */
export function chosenOriginals(
  originals: readonly (ListedOriginal | Original)[],
  { kind, reason, limit }: OriginalsQuery,
): readonly ListedOriginal[] {
  return originals
    .filter((one) => (kind === undefined || one.kind === kind) && (reason === undefined || one.reason === reason))
    .slice(0, limit)
    .map(withoutText)
}

function withoutText(original: ListedOriginal & { readonly text?: string }): ListedOriginal {
  const { text: _, ...about } = original
  return about
}
