import type { Figures, ReceiptQuery, StatisticsQuery } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { bare, ended, result } from './ended-receipts.ts'
import { receipt, scope } from './fixtures.ts'

const hourMs = 3_600_000

/** What requests have come to by hours. */
export function statisticsCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('counts the first result of each receipt in the hour in which its request came', async ({ store }) => {
      await ended(store, { name: 'r1', atMs: 10 })
      await ended(store, { name: 'r2', atMs: hourMs - 1, endsMs: 3 * hourMs })
      await ended(store, { name: 'r3', atMs: hourMs, model: 'other-model' })
      await store.commit({
        scope,
        nowMs: 5,
        writes: [{ table: 'results', of: { requestId: 'r1', result: result({ status: 500 }) } }],
      })
      await store.commit({
        scope,
        nowMs: 5,
        writes: [{ table: 'results', of: { requestId: 'nobody', result: result() } }],
      })
      const rows = await store.read('results').statistics('acme', { by: ['hour', 'model', 'policy'] })
      same(
        rows.map(({ startMs, model, policy, figures }) => [startMs, model, policy, figures.requests, figures.errors]),
        [
          [0, 'gpt-5', 'careful', 2, 0],
          [hourMs, 'other-model', 'careful', 1, 0],
        ],
      )
      same(await store.read('results').statistics('umbrella', {}), [])
    }),

    makeCase('adds up what requests took, and what everything would have taken', async ({ store }) => {
      const observed = { clientUsd: 0.6, ifOn: { usd: 0.05, passThroughUsd: 0.1 } }
      const { cost } = result()
      await ended(store, { name: 'r1', result: result({ ...(cost && { cost: { ...cost, ...observed } }) }) })
      await ended(store, { name: 'r2', result: result({ keptWarm: { refreshes: 2, usd: 0.05 } }) })
      await ended(store, { name: 'r3', result: { ...bare, status: 429, skipped: ['session', 'session', 'toString'] } })
      await ended(store, { name: 'r4', result: { ...bare, failure: 'upstream-timeout', overheadMs: 100 } })
      const [row] = await store.read('results').statistics('acme', {})
      const { skipped, overhead, ...sums } = row?.figures ?? ({} as Figures)
      same(sums, {
        requests: 4,
        errors: 2,
        priced: 2,
        reported: 2,
        inputTokens: 200,
        outputTokens: 20,
        cacheReadTokens: 120,
        cacheWriteTokens: 40,
        passThroughTokens: 600,
        usd: 0.35,
        passThroughUsd: 0.6,
        clientUsd: 0.9,
        observedUsd: 0.2,
        ifOnUsd: 0.05,
        ifOnPassThroughUsd: 0.1,
        hiddenRounds: 2,
        rehydrations: 2,
        refreshes: 0,
        refreshUsd: 0,
        missedTokens: 14,
        missedUsd: 0.02,
      })
      same(skipped, { session: 2, toString: 1 })
      same([overhead.reduce((all, count) => all + count, 0), overhead.length], [4, 41])
    }),

    makeCase(
      'counts what has no receipt in the hour of its commit, and leaves the session as it is',
      async ({ store }) => {
        await ended(store, { name: 'r1' })
        const before = await store.read('sessions').get(scope)
        const tally = { model: 'gpt-5', policy: 'careful', figures: { refreshes: 1, refreshUsd: 0.1, usd: 0.1 } }
        await store.commit({ scope, nowMs: hourMs + 5, writes: [{ table: 'results', tally }] })
        await store.commit({
          scope: { tenant: 'acme', session: 'none' },
          nowMs: hourMs + 5,
          writes: [{ table: 'results', tally }],
        })
        same(await store.read('sessions').get(scope), before)
        same(await store.read('sessions').get({ tenant: 'acme', session: 'none' }), undefined)
        const [row] = await store.read('results').statistics('acme', { sinceMs: hourMs })
        same([row?.figures.requests, row?.figures.refreshes, row?.figures.usd], [0, 2, 0.2])
      },
    ),

    makeCase('tells hours, days, models and policies apart, and only those asked for', async ({ store }) => {
      const day = 24 * hourMs
      for (const [index, model] of ['a', 'b', 'a', 'b', 'a'].entries()) {
        const name = `r${index}`
        await ended(store, { name, model, atMs: (index * day) / 2, policy: index < 2 ? 'careful' : 'thrifty' })
      }
      const asked = async (query: StatisticsQuery): Promise<unknown> =>
        (await store.read('results').statistics('acme', query)).map(({ figures, ...group }) => ({
          ...group,
          n: figures.requests,
        }))
      same(await asked({ by: ['day'] }), [
        { startMs: 0, n: 2 },
        { startMs: day, n: 2 },
        { startMs: 2 * day, n: 1 },
      ])
      same(await asked({ by: ['model'] }), [
        { model: 'a', n: 3 },
        { model: 'b', n: 2 },
      ])
      same(await asked({ by: ['policy'], model: 'a' }), [
        { policy: 'careful', n: 1 },
        { policy: 'thrifty', n: 2 },
      ])
      same(await asked({ sinceMs: day / 2, untilMs: day, policy: 'careful' }), [{ n: 1 }])
      same(await asked({ policy: 'nobody' }), [])
    }),

    makeCase('statistics outlive receipts and sessions', async ({ store }) => {
      await ended(store, { name: 'r1' })
      await store.prune(50 * hourMs, { sessionIdleMs: 1, receiptAgeMs: 1, maxReceipts: 0 })
      same(await store.read('receipts').list('acme', { limit: 1 }), [])
      same((await store.read('results').statistics('acme', {}))[0]?.figures.requests, 1)
    }),

    makeCase('names that nobody could count are counted together', async ({ store }) => {
      const figures = { requests: 1 }
      const models = Array.from({ length: 510 }, (_, index) => `m${index}`)
      await Promise.all(
        models.map((model) =>
          store.commit({ scope, nowMs: 1, writes: [{ table: 'results', tally: { model, policy: '', figures } }] }),
        ),
      )
      await store.commit({
        scope,
        nowMs: 1,
        writes: [{ table: 'results', tally: { model: 'm3', policy: '', figures } }],
      })
      await store.commit({
        scope,
        nowMs: hourMs,
        writes: [{ table: 'results', tally: { model: 'x'.repeat(9999), policy: '', figures } }],
      })
      const rows = await store.read('results').statistics('acme', { by: ['hour', 'model'] })
      same([rows.length, rows.find(({ model }) => model === 'other')?.figures.requests], [502, 10])
      same(rows.find(({ model }) => model === 'm3')?.figures.requests, 2)
      same(rows.at(-1)?.model?.length, 200)
    }),
  ]
}

/** What lists of receipts and sessions can be asked for. */
export function listCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('lists receipts by time, model and policy, and those that failed', async ({ store }) => {
      for (let index = 1; index <= 6; index += 1) {
        const model = index % 2 === 0 ? 'even' : 'odd'
        const policy = index > 3 ? 'careful' : 'thrifty'
        const status = index === 2 || index === 5 ? 503 : 200
        await ended(store, { name: `r${index}`, atMs: index, model, policy, result: result({ status }) })
      }
      const asked = async (query: Omit<ReceiptQuery, 'limit'>): Promise<string> =>
        (await store.read('receipts').list('acme', { limit: 9, ...query })).map(({ requestId }) => requestId).join(' ')
      same(await asked({ model: 'even' }), 'r6 r4 r2')
      same(await asked({ policy: 'thrifty', model: 'odd' }), 'r3 r1')
      same(await asked({ sinceMs: 2, untilMs: 5 }), 'r4 r3 r2')
      same(await asked({ failed: true }), 'r5 r2')
      same(await asked({ failed: true, session: scope.session, model: 'odd' }), 'r5')
      const [, , third] = await store.read('receipts').list('acme', { limit: 3 })
      same(await asked({ after: third?.sequence ?? 0 }), 'r5 r6')
      same(await asked({ before: third?.sequence ?? 0, failed: true }), 'r2')
      same(await store.read('receipts').list('umbrella', { limit: 9, failed: true }), [])
    }),

    makeCase('a receipt in a list says its lane, its policy and what its sections took', async ({ store }) => {
      const { manifest, ...rest } = receipt('r1')
      const section = {
        section: 'history' as const,
        tier: 4 as const,
        min: 0,
        max: 9,
        allocatedTokens: 9,
        demandTokens: 9,
        included: 1,
        excluded: 0,
      }
      const sections = [
        { ...section, usedTokens: 7 },
        { ...section, section: 'evidence' as const, usedTokens: 0 },
      ]
      await store.commit({
        scope: { ...scope, lane: 'side' },
        nowMs: 1,
        writes: [{ table: 'receipts', receipt: { ...rest, manifest: { ...manifest, sections } } }],
      })
      const [listed] = await store.read('receipts').list('acme', { limit: 1 })
      same([listed?.lane, listed?.policyId, listed?.sectionTokens], ['side', 'careful', { history: 7 }])
    }),

    makeCase('lists sessions page by page; what is used meanwhile is not told twice', async ({ store }) => {
      for (const [nowMs, session] of ['a', 'b', 'c', 'd', 'a'].entries())
        await store.commit({
          scope: { tenant: 'acme', session, lane: `${nowMs}` },
          nowMs,
          writes: [{ table: 'receipts', receipt: receipt(`r${nowMs}`) }],
        })
      const first = await store.read('results').sessions('acme', { limit: 2 })
      same(
        first.map(({ session }) => session),
        ['a', 'd'],
      )
      await store.commit({
        scope: { tenant: 'acme', session: 'd', lane: '3' },
        nowMs: 9,
        writes: [{ table: 'sessions' }],
      })
      const last = first[1]
      const rest = await store.read('results').sessions('acme', { limit: 9, ...(last && { after: last }) })
      same(
        rest.map(({ session }) => session),
        ['c', 'b'],
      )
    }),
  ]
}

export function findCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('finds sessions, receipts and handles by their names, of one tenant only', async ({ store }) => {
      for (const [nowMs, session] of ['release-1', 'fix%', 'my release'].entries()) {
        const originals = [{ handle: `4829${nowMs}`, text: `text ${nowMs}` }]
        await store.commit({
          scope: { tenant: 'acme', session },
          nowMs,
          writes: [
            { table: 'receipts', receipt: receipt(`req_${nowMs}`) },
            { table: 'originals', originals },
          ],
        })
      }
      const stranger = { tenant: 'umbrella', session: 'release-9' }
      await store.commit({
        scope: stranger,
        nowMs: 1,
        writes: [
          { table: 'receipts', receipt: receipt('req_9') },
          { table: 'originals', originals: [{ handle: '48299', text: 't' }] },
        ],
      })
      const found = await store.read('names').find('acme', 'release', 9)
      same(found.sessions, [
        { session: 'my release', usedMs: 2 },
        { session: 'release-1', usedMs: 0 },
      ])
      same((await store.read('names').find('acme', '%', 9)).sessions.length, 1)
      const byId = await store.read('names').find('acme', 'req_', 2)
      same(byId.receipts, [
        { requestId: 'req_0', packId: 'pack-of-req_0', session: 'release-1', createdMs: 0 },
        { requestId: 'req_1', packId: 'pack-of-req_1', session: 'fix%', createdMs: 1 },
      ])
      same(
        (await store.read('names').find('acme', 'pack-of-req_2', 9)).receipts.map(({ requestId }) => requestId),
        ['req_2'],
      )
      same((await store.read('names').find('acme', '4829', 9)).handles, [
        { handle: '48290', session: 'release-1' },
        { handle: '48291', session: 'fix%' },
        { handle: '48292', session: 'my release' },
      ])
    }),
  ]
}
