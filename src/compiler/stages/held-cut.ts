import type { CompileInput } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { HistoryCut } from './compress-history.ts'

/** The cut that the ledger tells, where both of its items are still there and the policy is the same. */
export function heldCut(
  { ledger, policy }: CompileInput,
  candidates: readonly Candidate[],
  history: readonly number[],
): HistoryCut | undefined {
  const cut = ledger?.layout === 'payload' ? ledger.cut : undefined
  if (cut === undefined || ledger?.policyId !== policy.id) return undefined
  const found = { short: find(cut.short, candidates, history), whole: find(cut.whole, candidates, history) }
  return found.short === undefined || found.whole === undefined || found.short > found.whole
    ? undefined
    : { short: found.short, whole: found.whole }
}

const keyForm = /^(?<hash>[^#]+)(?:#(?<occurrence>\d+))?$/

/** The item with a content hash, by its occurrence among those of the same content. */
function find(key: string, candidates: readonly Candidate[], history: readonly number[]): number | undefined {
  const { hash, occurrence = '1' } = keyForm.exec(key)?.groups ?? {}
  let left = Number(occurrence)
  return history.find((index) => candidates[index]?.contentHash === hash && (left -= 1) === 0)
}

/** The name in the ledger of the item at `index`: its content hash, and its occurrence where the content stands more than once. */
export function cutKey(index: number, candidates: readonly Candidate[], history: readonly number[]): string {
  const hash = candidates[index]?.contentHash ?? ''
  let occurrence = 0
  for (const other of history) {
    if (other > index) break
    if (candidates[other]?.contentHash === hash) occurrence += 1
  }
  return occurrence <= 1 ? hash : `${hash}#${occurrence}`
}
