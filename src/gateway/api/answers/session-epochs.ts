import type { z } from 'zod'
import type { AccountGroup, SessionAccount } from '../../../stores/index.ts'
import type { Answered } from '../route.ts'
import type { sessionDetail } from '../schemas/sessions.ts'
import { rounded } from './statistics.ts'

type Detail = Answered<z.output<typeof sessionDetail>>
type Told = Omit<Detail, 'session' | 'usedMs' | 'cost' | 'whole' | 'parentId' | 'children' | 'tree'>
type Epoch = Detail['epochs'][number]

/** Takes the accounts of a session, the oldest first, and tells what they come to together. */
export interface SessionFolder {
  receipts(): number
  add(account: SessionAccount): void
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

  const addGroup = (group: AccountGroup): void => {
    const { lane, model, policyId, requests, epoch } = group
    lanes.set(lane, (lanes.get(lane) ?? 0) + requests)
    models.add(model ?? 'unknown')
    policies.add(policyId)
    hiddenRounds += group.hiddenRounds
    if (epoch === undefined) return
    const key = `${epoch} ${lane}`
    epochs.set(key, withGroup(epochs.get(key) ?? begun(group, epoch), group))
  }

  return {
    receipts: () => receipts,
    add(account) {
      receipts += account.receipts
      for (const group of account.groups) addGroup(group)
      for (const { miss, ...at } of account.misses.slice(0, mostMisses - cacheMisses.length))
        cacheMisses.push(missOf(at, miss))
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

function begun({ lane, first }: AccountGroup, epoch: number): Epoch & { priced: number } {
  const { requestId, createdMs, epochRecord } = first
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

function withGroup<Sum extends Epoch & { readonly priced: number }>(epoch: Sum, group: AccountGroup): Sum {
  const usd = rounded(epoch.usd + group.usd)
  const passThroughUsd = rounded(epoch.passThroughUsd + group.passThroughUsd)
  return {
    ...epoch,
    requests: epoch.requests + group.requests,
    usd,
    passThroughUsd,
    savedUsd: rounded(passThroughUsd - usd),
    priced: epoch.priced + group.priced,
  }
}

type Miss = SessionAccount['misses'][number]

function missOf({ requestId, lane, createdMs }: Omit<Miss, 'miss'>, miss: Miss['miss']): Detail['cacheMisses'][number] {
  const { cause, changed, tokens, usd } = miss
  return { requestId, lane, atMs: createdMs, cause, by: changed?.by ?? null, tokens, usd: usd ?? null }
}
