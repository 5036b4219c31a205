import type { ReceiptResult, Store } from '../../stores/index.ts'
import { receipt, scope } from './fixtures.ts'

/** A result of which nothing is known. */
export const bare: ReceiptResult = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 0.1 }

/** A result with usage, cost and a cache miss. */
export function result(more: Partial<ReceiptResult> = {}): ReceiptResult {
  return {
    ...bare,
    usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 20 },
    cost: { inputTokens: 100, passThroughTokens: 300, usd: 0.2, passThroughUsd: 0.3 },
    rehydrations: 1,
    rounds: [{ hash: 'a' }],
    cacheMiss: { cause: 'expired', tokens: 7, usd: 0.01 },
    ...more,
  }
}

interface Asked {
  readonly name: string
  readonly atMs?: number
  readonly endsMs?: number
  readonly model?: string
  readonly policy?: string
  readonly result?: ReceiptResult
}

/** Files a receipt and its result. */
export async function ended(
  store: Store,
  { name, atMs = 1, endsMs = atMs, model = 'gpt-5', policy = 'careful', ...asked }: Asked,
): Promise<void> {
  const { manifest, ...rest } = receipt(name)
  await store.commit({
    scope,
    nowMs: atMs,
    writes: [{ table: 'receipts', receipt: { ...rest, model, manifest: { ...manifest, policyId: policy } } }],
  })
  await store.commit({
    scope,
    nowMs: endsMs,
    writes: [{ table: 'results', of: { requestId: name, result: asked.result ?? bare } }],
  })
}
