import type { ReceiptResult, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { same } from './contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { receipt, scope } from './fixtures.ts'

/** What the receipts of a session come to. */
export function accountCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('adds up the receipts of a session by conversation, epoch, model and policy', async ({ store }) => {
      await ended(store, { name: 'r1', atMs: 1, epoch: 0, result: { cost: cost(0.1, 0.3) } })
      await ended(store, { name: 'r2', atMs: 2, epoch: 0, result: { cost: cost(0.2, 0.3), rounds: [round, round] } })
      await ended(store, { name: 'r3', atMs: 3, epoch: 0, lane: 'b~', result: { cost: cost(0.2) } })
      await ended(store, { name: 'r4', atMs: 4, epoch: 1, result: { cacheMiss: { cause: 'expired', tokens: 9 } } })
      await ended(store, { name: 'r5', atMs: 5, epoch: 1, result: { answeredBy: 'other-model' } })
      await ended(store, { name: 'r6', atMs: 6 })
      await ended(store, { name: 'r7', atMs: 7, session: 'another', epoch: 0, result: { cost: cost(9, 9) } })
      const { groups, ...account } = await store.read('results').account('acme', { session: 's1', limit: 100 })
      same([account.receipts, account.misses], [6, [{ requestId: 'r4', lane: 'a', createdMs: 4, miss: missed }]])
      same(
        groups.map(({ lane, epoch, model, policyId, requests, priced, usd, passThroughUsd, hiddenRounds, first }) => [
          [lane, epoch, model, policyId],
          [requests, priced, usd, passThroughUsd, hiddenRounds],
          [first.requestId, first.createdMs, first.epochRecord?.decision],
        ]),
        [
          [
            ['a', 0, 'gpt-5', 'careful'],
            [2, 2, 0.3, 0.6, 2],
            ['r1', 1, 'begin'],
          ],
          [
            ['b~', 0, 'gpt-5', 'careful'],
            [1, 0, 0, 0, 0],
            ['r3', 3, 'begin'],
          ],
          [
            ['a', 1, 'gpt-5', 'careful'],
            [1, 0, 0, 0, 0],
            ['r4', 4, 'begin'],
          ],
          [
            ['a', 1, 'other-model', 'careful'],
            [1, 0, 0, 0, 0],
            ['r5', 5, 'begin'],
          ],
          [
            ['a', undefined, 'gpt-5', 'careful'],
            [1, 0, 0, 0, 0],
            ['r6', 6, undefined],
          ],
        ],
      )
    }),

    makeCase('adds a session up page by page, and one of another tenant not at all', async ({ store }) => {
      for (const atMs of [1, 2, 3]) await ended(store, { name: `r${atMs}`, atMs, epoch: 0, result: {} })
      const first = await store.read('results').account('acme', { session: 's1', limit: 2 })
      const rest = await store.read('results').account('acme', { session: 's1', after: first.last ?? -1, limit: 2 })
      same(
        [first, rest].map(({ receipts, groups }) => [receipts, groups[0]?.requests, groups[0]?.first.requestId]),
        [
          [2, 2, 'r1'],
          [1, 1, 'r3'],
        ],
      )
      const nothing = { receipts: 0, groups: [], misses: [] }
      same(await store.read('results').account('acme', { session: 's1', after: rest.last ?? -1, limit: 2 }), nothing)
      same(await store.read('results').account('umbrella', { session: 's1', limit: 2 }), nothing)
    }),
  ]
}

const round = { hash: 'h' }
const missed = { cause: 'expired' as const, tokens: 9 }

function cost(usd: number, passThroughUsd?: number): NonNullable<ReceiptResult['cost']> {
  return { inputTokens: 1, passThroughTokens: 2, usd, ...(passThroughUsd !== undefined && { passThroughUsd }) }
}

interface Asked {
  readonly name: string
  readonly atMs: number
  readonly session?: string
  readonly lane?: string
  readonly epoch?: number
  readonly result?: Partial<ReceiptResult>
}

async function ended(store: Store, { name, atMs, session = 's1', lane = 'a', epoch, result }: Asked): Promise<void> {
  const own = { ...scope, session, lane }
  const { manifest, ...head } = receipt(name)
  const begun = {
    epoch: epoch ?? 0,
    decision: 'begin' as const,
    cause: 'pressure' as const,
    rewriteCost: 10,
    savingPerTurn: 1,
    expectedTurns: 2,
    credit: 3,
  }
  const { epoch: _, ...others } = manifest
  const told = { ...others, ...(epoch !== undefined && { epoch: begun }) }
  await store.commit({
    scope: own,
    nowMs: atMs,
    writes: [{ table: 'receipts', receipt: { ...head, model: 'gpt-5', manifest: told } }],
  })
  if (!result) return
  const whole = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 1, ...result }
  await store.commit({
    scope: own,
    nowMs: atMs,
    writes: [{ table: 'results', of: { requestId: name, result: whole } }],
  })
}
