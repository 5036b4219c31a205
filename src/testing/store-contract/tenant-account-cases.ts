import type { Store, TenantAccountRow } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { ledger, receipt, scope } from './fixtures.ts'

/** What the sessions of a tenant saved and owe together. */
export function tenantAccountCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('the account of a tenant adds up what its sessions saved, by model', async ({ store }) => {
      await add(store, row('gpt-5', { passThrough: 100, saved: 30 }))
      await add(
        store,
        row('gpt-5', { sessions: 1, requests: 2, passThrough: 50.25, saved: -1, lent: 4, fetched: 0.5 }),
        's2',
      )
      await add(store, row('claude', { passThrough: 10 }))
      await store.commit({
        scope: { tenant: 'other', session: 's1' },
        nowMs: 1,
        writes: [{ table: 'results', account: row('gpt-5', { saved: 7 }) }],
      })
      same(await store.read('results').tenantAccount('acme'), [
        row('claude', { passThrough: 10 }),
        row('gpt-5', { sessions: 1, requests: 2, passThrough: 150.25, saved: 29, lent: 4, fetched: 0.5 }),
      ])
      same(await store.read('results').tenantAccount('other'), [row('gpt-5', { saved: 7 })])
      same(await store.read('results').tenantAccount('nobody'), [])
    }),

    makeCase(
      'the account of a tenant outlives its sessions, and is the same for all openers',
      async ({ store, openAgain }) => {
        await store.commit({
          scope,
          nowMs: 1,
          writes: [
            { table: 'sessions', ledger: ledger(1) },
            { table: 'results', account: row('gpt-5', { saved: 30 }) },
          ],
        })
        await store.prune(1e9, { sessionIdleMs: 1, receiptAgeMs: 1, maxReceipts: 1 })
        same(await store.read('sessions').get(scope), undefined)
        const again = await openAgain()
        await add(again, row('gpt-5', { saved: 5 }))
        same(await again.read('results').tenantAccount('acme'), [row('gpt-5', { saved: 35 })])
      },
    ),

    makeCase('a change that comes with a result counts once for each receipt', async ({ store }) => {
      const result = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 1 }
      const tenantAccount = row('gpt-5', { saved: 30 })
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'receipts', receipt: receipt('r1') }] })
      for (const requestId of ['r1', 'r1', 'unknown'])
        await store.commit({
          scope,
          nowMs: 2,
          writes: [{ table: 'results', of: { requestId, result }, account: tenantAccount }],
        })
      same(await store.read('results').tenantAccount('acme'), [tenantAccount])
      same((await store.read('sessions').get(scope))?.version, 1)
    }),

    makeCase(
      'a debt that the account cannot bear any more is a conflict, and writes nothing',
      async ({ store, openAgain }) => {
        await add(store, row('gpt-5', { saved: 10 }))
        const first = { ...row('gpt-5', { lent: 8 }), knownCredit: 10 }
        await store.commit({
          scope,
          nowMs: 1,
          expectVersion: 0,
          writes: [
            { table: 'sessions', ledger: ledger(1) },
            { table: 'results', account: first },
          ],
        })
        const late = { ...first, knownCredit: 10 }
        const other = { tenant: 'acme', session: 's2' }
        const again = await openAgain()
        await rejectsWith(
          again.commit({
            scope: other,
            nowMs: 1,
            writes: [
              { table: 'sessions', ledger: ledger(1) },
              { table: 'results', account: late },
            ],
          }),
          'conflict',
        )
        same(await store.read('sessions').get(other), undefined)
        same(await store.read('results').tenantAccount('acme'), [row('gpt-5', { saved: 10, lent: 8 })])
        // Whoever knew the credit had no choice.
        await again.commit({
          scope: other,
          nowMs: 1,
          writes: [
            { table: 'sessions', ledger: ledger(1) },
            { table: 'results', account: { ...late, knownCredit: 2 } },
          ],
        })
        same(await store.read('results').tenantAccount('acme'), [row('gpt-5', { saved: 10, lent: 16 })])
      },
    ),

    makeCase('lengths of sessions are halved beyond 200, and models beyond 50 share a row', async ({ store }) => {
      await add(store, row('gpt-5', { sessions: 200, requests: 4000 }))
      await add(store, row('gpt-5', { sessions: 1, requests: 2 }))
      same(await store.read('results').tenantAccount('acme'), [row('gpt-5', { sessions: 101, requests: 2001 })])
      for (let at = 1; at < 53; at += 1) await add(store, row(`model-${at}`, { saved: 1 }))
      const rows = await store.read('results').tenantAccount('acme')
      same([rows.length, rows.find(({ model }) => model === 'other')?.saved], [51, 3])
    }),
  ]
}

function row(model: string, figures: Partial<TenantAccountRow>): TenantAccountRow {
  return { model, sessions: 0, requests: 0, passThrough: 0, saved: 0, lent: 0, fetched: 0, ...figures }
}

function add(store: Store, tenantAccount: TenantAccountRow, session = 's1'): Promise<void> {
  return store.commit({
    scope: { tenant: 'acme', session },
    nowMs: 1,
    writes: [{ table: 'results', account: tenantAccount }],
  })
}
