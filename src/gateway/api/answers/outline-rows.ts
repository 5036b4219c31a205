import type { Dollars, ReceiptSummary } from '../../../stores/index.ts'
import { dollarsOf, isFailed } from '../../../stores/index.ts'

/** What the outline of a session needs of one of its requests. */
export interface OutlineRow {
  readonly sequence: number
  readonly lane: string
  readonly packTokens: number
  readonly sections: readonly string[]
  /** As the provider has counted; 0 where it has not. */
  readonly inputTokens: number
  readonly cachedTokens: number
  /** Absent where not both are known. */
  readonly cost: Dollars | undefined
  readonly hiddenRounds: number
  readonly overheadMs: number | undefined
  readonly breaksCache: boolean
  readonly hasFailed: boolean
  /** The epoch that it began. */
  readonly begins: number | undefined
  /** Whether its end is not known yet. */
  readonly isOpen: boolean
}

export function outlineRow({
  sequence,
  lane,
  packTokens,
  sectionTokens = {},
  epochRecord,
  result,
}: ReceiptSummary): OutlineRow {
  const { usage, cost, cacheMiss, rounds, overheadMs, status, failure } = result ?? {}
  const isReported = usage?.cacheReadTokens !== undefined
  const begins = epochRecord?.decision === 'begin' && epochRecord.cause !== 'first-request'
  return {
    sequence,
    lane,
    packTokens,
    sections: Object.keys(sectionTokens),
    inputTokens: isReported ? usage.inputTokens : 0,
    cachedTokens: usage?.cacheReadTokens ?? 0,
    cost: dollarsOf(cost),
    hiddenRounds: rounds?.length ?? 0,
    overheadMs,
    breaksCache: cacheMiss !== undefined && cacheMiss.cause !== 'too-short',
    hasFailed: status !== undefined && isFailed({ status, failure }),
    begins: begins ? epochRecord.epoch : undefined,
    isOpen: result === undefined,
  }
}
