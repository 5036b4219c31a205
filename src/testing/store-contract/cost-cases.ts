import type { ExchangeCost, ReceiptResult, SessionCost, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { receipt, scope } from './fixtures.ts'

/** What sessions cost. */
export function costCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('a session has cost what its receipts have, in all its lanes', async ({ store }) => {
      const ifOn = { usd: 0.2, passThroughUsd: 0.4 }
      const marked = { ...cost(20, 0.2, 0.15), clientUsd: 0.5 }
      // As earlier versions have written it, by marks, by neither, in mode observe.
      const costs = [cost(100, 0.1, 0.3), marked, cost(7), undefined, { ...cost(3, 0.7, 0.7), clientUsd: 0.7, ifOn }]
      for (const [index, one] of costs.entries()) {
        await ended(store, { name: `r${index}`, lane: index % 2 === 0 ? 'even' : 'odd' }, one)
      }
      const listed = await store.read('receipts').list('acme', { limit: 10 })
      const sum = (of: (one: ExchangeCost) => number | undefined): number =>
        Math.round(listed.reduce((total, { result }) => total + ((result?.cost && of(result.cost)) ?? 0), 0) * 1e6) /
        1e6
      same(await costIn(store), {
        requests: 5,
        priced: 3,
        inputTokens: sum(({ inputTokens }) => inputTokens),
        passThroughTokens: sum(({ passThroughTokens }) => passThroughTokens),
        usd: sum(({ usd }) => usd),
        passThroughUsd: sum(({ passThroughUsd }) => passThroughUsd),
        clientUsd: 1.5,
        observedUsd: 0.7,
        ifOnUsd: 0.2,
        ifOnPassThroughUsd: 0.4,
      })
    }),

    makeCase('the first result of a request stands, and is paid once', async ({ store }) => {
      await ended(store, { name: 'r1' }, cost(10, 0.1, 0.2))
      const result = resultOf(cost(99, 9, 9))
      await store.commit({ scope, nowMs: 3, writes: [{ table: 'results', of: { requestId: 'r1', result } }] })
      await store.commit({ scope, nowMs: 3, writes: [{ table: 'results', of: { requestId: 'nobody', result } }] })
      same((await store.read('receipts').get('acme', 'r1'))?.result?.cost, cost(10, 0.1, 0.2))
      same((await costIn(store))?.usd, 0.1)
    }),

    makeCase('a receipt and its result may come together', async ({ store }) => {
      const result = resultOf(cost(10, 0.1, 0.2))
      await store.commit({
        scope,
        nowMs: 2,
        writes: [
          { table: 'receipts', receipt: receipt('r1') },
          { table: 'results', of: { requestId: 'r1', result } },
        ],
      })
      same((await store.read('receipts').get('acme', 'r1'))?.result, result)
      same((await costIn(store))?.usd, 0.1)
    }),

    makeCase('a request that was refused costs nothing, unless a round of it was answered', async ({ store }) => {
      await ended(store, { name: 'r1', status: 429 })
      same((await costIn(store))?.requests, 0)
      await ended(store, { name: 'r2', status: 400 }, cost(10, 0.1, 0.2))
      same((await costIn(store))?.usd, 0.1)
    }),

    makeCase('lists sessions, those last used first, of one tenant, all or one by its name', async ({ store }) => {
      for (const [nowMs, session] of ['a', 'b', 'c', 'a'].entries()) {
        await store.commit({
          scope: { tenant: 'acme', session },
          nowMs,
          writes: [{ table: 'receipts', receipt: receipt(`r${nowMs}`) }],
        })
      }
      await store.commit({
        scope: { tenant: 'umbrella', session: 'd' },
        nowMs: 9,
        writes: [{ table: 'receipts', receipt: receipt('r9') }],
      })
      const named = async (limit: number, session?: string): Promise<unknown> =>
        (await store.read('results').sessions('acme', { limit, ...(session !== undefined && { session }) })).map(
          (one) => [one.session, one.usedMs],
        )
      same(await named(10), [
        ['a', 3],
        ['c', 2],
        ['b', 1],
      ])
      same(await named(1), [['a', 3]])
      same(await named(5, 'b'), [['b', 1]])
      same(await named(5, 'd'), [])
    }),

    makeCase('what a session has cost outlives its receipts, and goes with it', async ({ store }) => {
      await ended(store, { name: 'r1' }, cost(10, 0.1, 0.2))
      const retention = { sessionIdleMs: 1000, receiptAgeMs: 10, maxReceipts: 100 }
      await store.prune(500, retention)
      same(await store.read('receipts').list('acme', { limit: 1 }), [])
      same((await costIn(store))?.usd, 0.1)
      await store.prune(5000, retention)
      same(await costIn(store), undefined)
    }),
  ]
}

function cost(tokens: number, usd?: number, passThroughUsd?: number): ExchangeCost {
  const known = usd === undefined || passThroughUsd === undefined ? {} : { usd, passThroughUsd }
  return { inputTokens: tokens, passThroughTokens: 2 * tokens, ...known }
}

function resultOf(of?: ExchangeCost, status = 200): ReceiptResult {
  return { status, rehydrations: 0, upstreamMs: 1, overheadMs: 1, ...(of && { cost: of }) }
}

interface Asked {
  readonly name: string
  readonly lane?: string
  readonly status?: number
}

async function ended(store: Store, { name, lane, status }: Asked, of?: ExchangeCost): Promise<void> {
  const own = { ...scope, ...(lane !== undefined && { lane }) }
  await store.commit({ scope: own, nowMs: 1, writes: [{ table: 'receipts', receipt: receipt(name) }] })
  await store.commit({
    scope: own,
    nowMs: 2,
    writes: [{ table: 'results', of: { requestId: name, result: resultOf(of, status) } }],
  })
}

async function costIn(store: Store): Promise<SessionCost | undefined> {
  const [one] = await store.read('results').sessions(scope.tenant, { limit: 1, session: scope.session })
  return one?.cost
}
