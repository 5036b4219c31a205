import type { Ledger } from '../../core/index.ts'
import type { Store, Write } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import { hidden, ledger, receipt, scope, summary } from './fixtures.ts'

export function versionCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('a session has one version more with every commit, but not with a result alone', async ({ store }) => {
      const versionOf = async (): Promise<number | undefined> => (await store.read('sessions').get(scope))?.version
      await store.commit({ scope, nowMs: 1, expectVersion: 0, writes: [{ table: 'receipts', receipt: receipt('r1') }] })
      same(await versionOf(), 1)
      await store.commit({ scope, nowMs: 2, expectVersion: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      same(await versionOf(), 2)
      const result = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 1 }
      await store.commit({ scope, nowMs: 3, writes: [{ table: 'results', of: { requestId: 'r1', result } }] })
      same(await versionOf(), 2)
      await store.commit({ scope, nowMs: 4, writes: [{ table: 'sessions', ledger: ledger(2) }] })
      same(await versionOf(), 3)
    }),

    makeCase('a commit that expects another version fails with a conflict and writes nothing', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, expectVersion: 0, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      const late: readonly Write[] = [
        { table: 'receipts', receipt: receipt('late') },
        { table: 'sessions', ledger: ledger(9), offeredTools: ['rehydrate'], overlay: [hidden('late')] },
        { table: 'originals', originals: [{ handle: 'late', text: 'late' }] },
        { table: 'summaries', key: 'late', value: summary('late') },
      ]
      for (const expectVersion of [0, 2]) {
        await rejectsWith(store.commit({ scope, nowMs: 2, expectVersion, writes: late }), 'conflict')
      }
      same(await store.read('sessions').get(scope), { version: 1, ledger: ledger(1), offeredTools: [], overlay: [] })
      same(await store.read('originals').get(scope, 'late'), undefined)
      same(await store.read('summaries').get('acme', 'late'), undefined)
      same(await store.read('receipts').get('acme', 'late'), undefined)
      await store.commit({ scope, nowMs: 3, expectVersion: 1, writes: late })
      same((await store.read('sessions').get(scope))?.ledger, ledger(9))
    }),

    makeCase('of two commits for the same version, made at once, the first is written', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      const [first, second, third] = [
        store.commit({ scope, nowMs: 2, expectVersion: 1, writes: [{ table: 'sessions', ledger: ledger(2) }] }),
        store.commit({ scope, nowMs: 3, expectVersion: 1, writes: [{ table: 'sessions', ledger: ledger(3) }] }),
        store.commit({ scope, nowMs: 4, expectVersion: 2, writes: [{ table: 'sessions', ledger: ledger(4) }] }),
      ]
      await first
      await rejectsWith(second, 'conflict')
      await third
      same((await store.read('sessions').get(scope))?.ledger, ledger(4))
    }),

    makeCase('two openers of one database see each other and do not spoil each other', async ({ store, openAgain }) => {
      const again = await openAgain()
      let last: Ledger | undefined
      for (let turn = 1; turn <= 6; turn += 1) {
        const [writer, reader]: [Store, Store] = turn % 2 === 0 ? [store, again] : [again, store]
        same((await writer.read('sessions').get(scope))?.ledger, last)
        last = ledger(turn)
        await writer.commit({
          scope,
          nowMs: turn,
          expectVersion: turn - 1,
          writes: [{ table: 'sessions', ledger: last, overlay: [hidden(`${turn}`)] }],
        })
        const state = { version: turn, ledger: last, offeredTools: [], overlay: [hidden(`${turn}`)] }
        same(await reader.read('sessions').get(scope), state)
        same(await writer.read('sessions').get(scope), state)
      }
    }),

    makeCase('of two openers that decided on the same version, one is refused', async ({ store, openAgain }) => {
      const again = await openAgain()
      await store.commit({ scope, nowMs: 1, expectVersion: 0, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      await again.commit({ scope, nowMs: 2, expectVersion: 1, writes: [{ table: 'sessions', ledger: ledger(2) }] })
      await rejectsWith(
        store.commit({ scope, nowMs: 3, expectVersion: 1, writes: [{ table: 'sessions', ledger: ledger(3) }] }),
        'conflict',
      )
      same((await store.read('sessions').get(scope))?.ledger, ledger(2))
      await store.commit({ scope, nowMs: 4, expectVersion: 2, writes: [{ table: 'sessions', ledger: ledger(4) }] })
      same((await again.read('sessions').get(scope))?.ledger, ledger(4))
    }),
  ]
}
