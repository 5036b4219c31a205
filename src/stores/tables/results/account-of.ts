import type { AccountGroup, SessionAccount } from './session-account.ts'
import type { ReceiptSummary } from '../receipts/receipt.ts'
import { wholeUsd } from './whole-usd.ts'

/** Of receipts, the oldest first: for drivers that have no quicker way. */
export function accountOf(receipts: readonly ReceiptSummary[]): SessionAccount {
  const groups = new Map<string, AccountGroup>()
  for (const receipt of receipts) {
    const { lane, epoch, policyId, result } = receipt
    const key = JSON.stringify([lane, epoch ?? null, result?.answeredBy ?? receipt.model ?? null, policyId])
    groups.set(key, withReceipt(groups.get(key) ?? opened(receipt), receipt))
  }
  const last = receipts.at(-1)?.sequence
  return {
    receipts: receipts.length,
    ...(last !== undefined && { last }),
    groups: [...groups.values()],
    misses: receipts.flatMap(({ requestId, lane, createdMs, result }) =>
      result?.cacheMiss ? [{ requestId, lane, createdMs, miss: result.cacheMiss }] : [],
    ),
  }
}

function opened(receipt: ReceiptSummary): AccountGroup {
  const { lane, epoch, epochRecord, policyId, result, sequence, requestId, createdMs } = receipt
  const model = result?.answeredBy ?? receipt.model
  return {
    lane,
    ...(epoch !== undefined && { epoch }),
    ...(model !== undefined && { model }),
    policyId,
    requests: 0,
    priced: 0,
    usd: 0,
    passThroughUsd: 0,
    hiddenRounds: 0,
    first: { sequence, requestId, createdMs, ...(epochRecord && { epochRecord }) },
  }
}

function withReceipt(group: AccountGroup, { result }: ReceiptSummary): AccountGroup {
  const { usd, passThroughUsd } = result?.cost ?? {}
  const isPriced = usd !== undefined && passThroughUsd !== undefined
  return {
    ...group,
    requests: group.requests + 1,
    priced: group.priced + (isPriced ? 1 : 0),
    usd: wholeUsd(group.usd + (isPriced ? usd : 0)),
    passThroughUsd: wholeUsd(group.passThroughUsd + (isPriced ? passThroughUsd : 0)),
    hiddenRounds: group.hiddenRounds + (result?.rounds?.length ?? 0),
  }
}
