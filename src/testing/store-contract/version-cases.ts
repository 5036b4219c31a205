import type { Ledger } from '../../core/index.ts'
import type { Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import { hidden, ledger, receipt, scope } from './fixtures.ts'

export function versionCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('a session has one version more with every commit, but not with a result alone', async ({ store }) => {
      const versionOf = async (): Promise<number | undefined> => (await store.session(scope))?.version
      await store.commit({ scope, nowMs: 1, expectVersion: 0, receipt: receipt('r1') })
      same(await versionOf(), 1)
      await store.commit({ scope, nowMs: 2, expectVersion: 1, ledger: ledger(1) })
      same(await versionOf(), 2)
      const result = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 1 }
      await store.commit({ scope, nowMs: 3, result: { requestId: 'r1', result } })
      same(await versionOf(), 2)
      await store.commit({ scope, nowMs: 4, ledger: ledger(2) })
      same(await versionOf(), 3)
    }),

    makeCase('a commit that expects another version fails with a conflict and writes nothing', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, expectVersion: 0, ledger: ledger(1) })
      const late = {
        ledger: ledger(9),
        offeredTools: ['rehydrate'],
        overlay: [hidden('late')],
        originals: [{ handle: 'late', text: 'late' }],
        receipt: receipt('late'),
      }
      for (const expectVersion of [0, 2]) {
        await rejectsWith(store.commit({ scope, nowMs: 2, expectVersion, ...late }), 'conflict')
      }
      same(await store.session(scope), { version: 1, ledger: ledger(1), offeredTools: [], overlay: [] })
      same(await store.original(scope, 'late'), undefined)
      same(await store.receipt('acme', 'late'), undefined)
      await store.commit({ scope, nowMs: 3, expectVersion: 1, ...late })
      same((await store.session(scope))?.ledger, ledger(9))
    }),

    makeCase('of two commits for the same version, made at once, the first is written', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, ledger: ledger(1) })
      const [first, second, third] = [
        store.commit({ scope, nowMs: 2, expectVersion: 1, ledger: ledger(2) }),
        store.commit({ scope, nowMs: 3, expectVersion: 1, ledger: ledger(3) }),
        store.commit({ scope, nowMs: 4, expectVersion: 2, ledger: ledger(4) }),
      ]
      await first
      await rejectsWith(second, 'conflict')
      await third
      same((await store.session(scope))?.ledger, ledger(4))
    }),

    makeCase('two openers of one database see each other and do not spoil each other', async ({ store, openAgain }) => {
      const again = await openAgain()
      let last: Ledger | undefined
      for (let turn = 1; turn <= 6; turn += 1) {
        const [writer, reader]: [Store, Store] = turn % 2 === 0 ? [store, again] : [again, store]
        same((await writer.session(scope))?.ledger, last)
        last = ledger(turn)
        await writer.commit({ scope, nowMs: turn, expectVersion: turn - 1, ledger: last, overlay: [hidden(`${turn}`)] })
        const state = { version: turn, ledger: last, offeredTools: [], overlay: [hidden(`${turn}`)] }
        same(await reader.session(scope), state)
        same(await writer.session(scope), state)
      }
    }),

    makeCase('of two openers that decided on the same version, one is refused', async ({ store, openAgain }) => {
      const again = await openAgain()
      await store.commit({ scope, nowMs: 1, expectVersion: 0, ledger: ledger(1) })
      await again.commit({ scope, nowMs: 2, expectVersion: 1, ledger: ledger(2) })
      await rejectsWith(store.commit({ scope, nowMs: 3, expectVersion: 1, ledger: ledger(3) }), 'conflict')
      same((await store.session(scope))?.ledger, ledger(2))
      await store.commit({ scope, nowMs: 4, expectVersion: 2, ledger: ledger(4) })
      same((await again.session(scope))?.ledger, ledger(4))
    }),
  ]
}
