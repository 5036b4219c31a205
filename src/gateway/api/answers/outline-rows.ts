import type { ReceiptSummary } from '../../../stores/index.ts'
import { costRow } from '../../../sessions/index.ts'
import type { CostRow } from '../../../sessions/index.ts'
import { isFailed } from '../../../stores/index.ts'

/** What the outline of a session needs of one of its requests. */
export interface OutlineRow extends CostRow {
  readonly sequence: number
  readonly packTokens: number
  readonly sections: readonly string[]
  /** As the provider has counted; 0 where it has not. */
  readonly inputTokens: number
  readonly overheadMs: number | undefined
  readonly breaksCache: boolean
  readonly hasFailed: boolean
  /** The epoch that it began. */
  readonly begins: number | undefined
  /** Whether its end is not known yet. */
  readonly isOpen: boolean
}

export function outlineRow(receipt: ReceiptSummary): OutlineRow {
  const { sequence, packTokens, sectionTokens = {}, epochRecord, result } = receipt
  const { usage, cacheMiss, overheadMs, status, failure } = result ?? {}
  const isReported = usage?.cacheReadTokens !== undefined
  const begins = epochRecord?.decision === 'begin' && epochRecord.cause !== 'first-request'
  return {
    ...costRow(receipt),
    sequence,
    packTokens,
    sections: Object.keys(sectionTokens),
    inputTokens: isReported ? usage.inputTokens : 0,
    overheadMs,
    breaksCache: cacheMiss !== undefined && cacheMiss.cause !== 'too-short',
    hasFailed: status !== undefined && isFailed({ status, failure }),
    begins: begins ? epochRecord.epoch : undefined,
    isOpen: result === undefined,
  }
}
