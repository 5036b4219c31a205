import type { LedgerEntry, Policy } from '../../core/index.ts'
import { compressionFigures, measuresQuality } from '../../core/index.ts'

/** Whether receipts by a policy tell the fidelity of forms, so that a ledger has to hold it: who only reads that must know no less. */
export function tellsFidelity(policy: Policy): boolean {
  return measuresQuality(policy) || compressionFigures(policy.compression) !== undefined
}

/** What is left of an item by what its ledger entry tells of itself. */
export function toldFidelity({ rung, tokens, originalTokens, fidelity }: LedgerEntry): number {
  return fidelity ?? (rung === 'lossless' ? 1 : tokens / Math.max(1, originalTokens))
}
