import type { CachePrices, CompileInput, LedgerShown } from '../../core/index.ts'
import { isWarm } from '../epochs/index.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'

/** How items of the part of a payload that a provider has cached stood in the last pack, by index; nothing once the cache is cold. */
export function heldForms(
  { ledger, policy, nowMs }: Pick<CompileInput, 'ledger' | 'policy' | 'nowMs'>,
  candidates: readonly Candidate[],
  members: readonly number[],
  prices: CachePrices,
): ReadonlyMap<number, LedgerShown> {
  const shown = ledger?.layout === 'payload' ? (ledger.shown ?? []) : []
  if (shown.length === 0 || ledger?.policyId !== policy.id || !isWarm(ledger.lastRequestMs, nowMs, prices))
    return new Map()
  const known = new Map(shown.map((one) => [one.key, one]))
  const keys = keysOf(candidates, members)
  return new Map(
    members.flatMap((index, place) => {
      const found = known.get(keys[place] ?? '')
      return found === undefined ? [] : [[index, found] as const]
    }),
  )
}

/** The same for the next request: what does not stand as it came. */
export function shownForms(
  forms: readonly (Form | undefined)[],
  candidates: readonly Candidate[],
  members: readonly number[],
): readonly LedgerShown[] {
  const keys = keysOf(candidates, members)
  return members.flatMap((index, place): readonly LedgerShown[] => {
    const form = forms[index]
    const rung = form?.rendition.rung ?? 'omitted'
    return rung === 'full' ? [] : [{ key: keys[place] ?? '', rung, tokens: form?.tokens ?? 0 }]
  })
}

/** The content of each item, and which of several with the same content it is. */
function keysOf(candidates: readonly Candidate[], members: readonly number[]): readonly string[] {
  const counts = new Map<string, number>()
  return members.map((index) => {
    const hash = candidates[index]?.contentHash ?? ''
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    return count === 1 ? hash : `${hash}#${count}`
  })
}
