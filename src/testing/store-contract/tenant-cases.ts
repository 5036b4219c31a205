import type { ContractCase } from '../contract-case.ts'
import { same } from './contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { item, ledger, receipt } from './fixtures.ts'

/** The deletion of tenants. */
export function tenantCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('a tenant is deleted with all that it has, and others keep theirs', async ({ store, openAgain }) => {
      const text = 'a text that both tenants have, long enough to be kept apart from the item '.repeat(20)
      const fill = async (tenant: string, session: string, name: string): Promise<void> =>
        store.commit({
          scope: { tenant, session },
          nowMs: 1,
          writes: [
            { table: 'receipts', receipt: receipt(name, [item(0, text)]) },
            { table: 'sessions', ledger: ledger(1) },
            { table: 'originals', originals: [{ handle: 'h1', text }] },
            { table: 'extension-values', key: 'k', value: tenant },
            { table: 'audit', actor: 'me', action: 'key.create', target: 'k', from: 'local' },
          ],
        })
      for (let at = 0; at < 50; at += 1) await fill('acme', `s${at}`, `r${at}`)
      await fill('other', 's1', 'r1')
      same(await store.read('names').tenants(), [
        { tenant: 'acme', sessions: 50, receipts: 50 },
        { tenant: 'other', sessions: 1, receipts: 1 },
      ])
      const dropped = await store.dropTenant('acme')
      same([dropped['sessions'], dropped['receipts'], dropped['audit']], [50, 50, 50])
      same(await store.dropTenant('acme'), {})
      const again = await openAgain()
      same(await again.read('names').tenants(), [{ tenant: 'other', sessions: 1, receipts: 1 }])
      same(await again.read('sessions').get({ tenant: 'acme', session: 's1' }), undefined)
      same(await again.read('originals').get({ tenant: 'acme' }, 'h1'), undefined)
      same(await again.read('extension-values').get('acme', 'k'), undefined)
      same((await again.read('receipts').get('other', 'r1'))?.input?.items[0]?.text, text)
      same((await again.read('originals').get({ tenant: 'other' }, 'h1'))?.text, text)
      await fill('acme', 's1', 'r1')
      same((await again.read('sessions').get({ tenant: 'acme', session: 's1' }))?.version, 1)
      same((await again.read('receipts').get('acme', 'r1'))?.input?.policy.id, 'careful')
    }),
  ]
}
