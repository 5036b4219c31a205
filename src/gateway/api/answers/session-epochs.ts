import type { z } from 'zod'
import type { ReceiptSummary } from '../../../stores/index.ts'
import type { Answered } from '../route.ts'
import type { sessionDetail } from '../schemas/sessions.ts'
import { rounded } from './statistics.ts'

type Detail = Answered<z.output<typeof sessionDetail>>
type Told = Omit<Detail, 'session' | 'usedMs' | 'cost' | 'whole'>
type Epoch = Detail['epochs'][number]

/** Takes the receipts of a session, the oldest first, and tells what they come to together. */
export interface SessionFolder {
  receipts(): number
  add(receipt: ReceiptSummary): void
  told(): Told
}

const mostMisses = 1000

export function sessionFolder(): SessionFolder {
  const lanes = new Map<string, number>()
  const models = new Set<string>()
  const policies = new Set<string>()
  const epochs = new Map<string, Epoch & { readonly priced: number }>()
  const cacheMisses: Detail['cacheMisses'][number][] = []
  let receipts = 0
  let hiddenRounds = 0

  const account = (receipt: ReceiptSummary): void => {
    if (receipt.epoch === undefined) return
    const key = `${receipt.epoch} ${receipt.lane}`
    epochs.set(key, withRequest(epochs.get(key) ?? begun(receipt, receipt.epoch), receipt))
  }

  return {
    receipts: () => receipts,
    add(receipt) {
      const { lane, model, policyId, result } = receipt
      receipts += 1
      lanes.set(lane, (lanes.get(lane) ?? 0) + 1)
      models.add(result?.answeredBy ?? model ?? 'unknown')
      policies.add(policyId)
      hiddenRounds += result?.rounds?.length ?? 0
      if (result?.cacheMiss && cacheMisses.length < mostMisses) cacheMisses.push(missOf(receipt, result.cacheMiss))
      account(receipt)
    },
    told: () => ({
      lanes: [...lanes].map(([lane, requests]) => ({ lane, requests, fork: lane.includes('~') })),
      models: [...models],
      policies: [...policies],
      receipts,
      epochs: [...epochs.values()].map(({ priced, ...epoch }) => ({
        ...epoch,
        paidBack: priced === 0 || epoch.rewriteCost === null ? null : epoch.savedUsd >= 0,
      })),
      cacheMisses,
      hiddenRounds,
    }),
  }
}

function begun({ lane, requestId, createdMs, epochRecord }: ReceiptSummary, epoch: number): Epoch & { priced: number } {
  const isBeginning = epochRecord?.decision === 'begin'
  return {
    lane,
    epoch,
    cause: isBeginning ? epochRecord.cause : epoch === 0 ? 'first-request' : 'unknown',
    startMs: createdMs,
    firstRequestId: requestId,
    rewriteCost: isBeginning ? epochRecord.rewriteCost : null,
    requests: 0,
    usd: 0,
    passThroughUsd: 0,
    savedUsd: 0,
    paidBack: null,
    priced: 0,
  }
}

function withRequest<Sum extends Epoch & { readonly priced: number }>(epoch: Sum, { result }: ReceiptSummary): Sum {
  const { usd, passThroughUsd } = result?.cost ?? {}
  const requests = epoch.requests + 1
  if (usd === undefined || passThroughUsd === undefined) return { ...epoch, requests }
  const spent = rounded(epoch.usd + usd)
  const all = rounded(epoch.passThroughUsd + passThroughUsd)
  return {
    ...epoch,
    requests,
    usd: spent,
    passThroughUsd: all,
    savedUsd: rounded(all - spent),
    priced: epoch.priced + 1,
  }
}

function missOf(
  { requestId, lane, createdMs }: ReceiptSummary,
  miss: NonNullable<NonNullable<ReceiptSummary['result']>['cacheMiss']>,
): Detail['cacheMisses'][number] {
  const { cause, changed, tokens, usd } = miss
  return { requestId, lane, atMs: createdMs, cause, by: changed?.by ?? null, tokens, usd: usd ?? null }
}
