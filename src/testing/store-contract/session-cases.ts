import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import { hidden, item, ledger, receipt, scope, summary } from './fixtures.ts'
import { claimValue, defaultRetention, setValue } from '../../stores/index.ts'
import type { Write } from '../../stores/index.ts'

export function sessionCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('knows nothing of a session that it never saw', async ({ store }) => {
      same(await store.read('sessions').get(scope), undefined)
      same(await store.read('sessions').lanes('acme', 's1'), [])
      same(await store.read('originals').get(scope, 'h'), undefined)
      same(await store.read('receipts').get('acme', 'r'), undefined)
      same(await store.read('receipts').list('acme', { limit: 10 }), [])
    }),

    makeCase('gives back the ledger, the offered tools and the overlay of a session', async ({ store }) => {
      const offeredTools = ['rehydrate', 'search_tools']
      await store.commit({
        scope,
        nowMs: 1,
        writes: [{ table: 'sessions', ledger: ledger(2), offeredTools, overlay: [hidden('a')] }],
      })
      await store.commit({
        scope,
        nowMs: 2,
        writes: [{ table: 'sessions', ledger: ledger(3), overlay: [hidden('a'), hidden('b')] }],
      })
      const overlay = [hidden('a'), hidden('b')]
      same(await store.read('sessions').get(scope), { version: 2, ledger: ledger(3), offeredTools, overlay })
      await store.commit({
        scope,
        nowMs: 3,
        writes: [{ table: 'sessions', ledger: null, offeredTools: [], overlay: [hidden('b')] }],
      })
      same(await store.read('sessions').get(scope), { version: 3, offeredTools: [], overlay: [hidden('b')] })
    }),

    makeCase('keeps the lanes of one session apart, and lists their receipts together', async ({ store }) => {
      const side = { ...scope, lane: 'side' }
      await store.commit({
        scope,
        nowMs: 1,
        writes: [
          { table: 'receipts', receipt: receipt('r1') },
          { table: 'sessions', ledger: ledger(2), offeredTools: ['rehydrate'] },
        ],
      })
      await store.commit({
        scope: side,
        nowMs: 2,
        writes: [
          { table: 'receipts', receipt: receipt('r2') },
          { table: 'sessions', ledger: ledger(4) },
        ],
      })
      same((await store.read('sessions').get(scope))?.ledger, ledger(2))
      same(await store.read('sessions').get(side), { version: 1, ledger: ledger(4), offeredTools: [], overlay: [] })
      const listed = await store.read('receipts').list('acme', { limit: 9, session: 's1' })
      same(
        listed.map(({ requestId }) => requestId),
        ['r2', 'r1'],
      )
    }),

    makeCase('names the lanes of a session, those last written to first', async ({ store }) => {
      for (const [nowMs, lane] of [...'abac'].entries())
        await store.commit({ scope: { ...scope, lane }, nowMs, writes: [{ table: 'sessions' }] })
      await store.commit({
        scope: { tenant: 'umbrella', session: 's1', lane: 'd' },
        nowMs: 9,
        writes: [{ table: 'sessions' }],
      })
      await store.commit({
        scope: { tenant: 'acme', session: 's2', lane: 'e' },
        nowMs: 9,
        writes: [{ table: 'sessions' }],
      })
      same(await store.read('sessions').lanes('acme', 's1'), ['c', 'a', 'b'])
      await store.commit({ scope: { ...scope, lane: 'a~1' }, nowMs: 10, writes: [{ table: 'sessions' }] })
      same(await store.read('sessions').lanes('acme', 's1', 'a'), ['a~1', 'a'])
    }),

    makeCase('replaces a ledger by a shorter or different one', async ({ store }) => {
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(5) }] })
      const changed = { ...ledger(3), entries: ledger(3).entries.map((entry) => ({ ...entry, rung: 'full' as const })) }
      await store.commit({ scope, nowMs: 2, writes: [{ table: 'sessions', ledger: changed }] })
      same((await store.read('sessions').get(scope))?.ledger, changed)
      await store.commit({ scope, nowMs: 3, writes: [{ table: 'sessions', ledger: ledger(0) }] })
      same((await store.read('sessions').get(scope))?.ledger, ledger(0))
    }),
  ]
}

/** What a commit is, whole or not at all. */
export function commitCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('a commit that fails writes nothing, and spares those beside it', async ({ store }) => {
      await store.commit({
        scope,
        nowMs: 1,
        writes: [
          { table: 'receipts', receipt: receipt('r1') },
          { table: 'sessions', ledger: ledger(1) },
        ],
      })
      const good = { tenant: 'acme', session: 'good' }
      const bad: readonly Write[] = [
        { table: 'originals', originals: [{ handle: 'lost', text: 'lost' }] },
        { table: 'summaries', key: 'lost', value: summary('lost') },
        { table: 'receipts', receipt: receipt('r1') },
        { table: 'sessions', ledger: ledger(9), offeredTools: ['rehydrate'] },
      ]
      const writing = [
        store.commit({
          scope: good,
          nowMs: 2,
          writes: [
            { table: 'receipts', receipt: receipt('r2') },
            { table: 'sessions', ledger: ledger(2) },
          ],
        }),
        store.commit({ scope, nowMs: 2, writes: bad }),
        store.commit({ scope: good, nowMs: 3, writes: [{ table: 'sessions', ledger: ledger(3) }] }),
      ]
      const outcomes = await Promise.allSettled(writing)
      same(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      await rejectsWith(writing[1] ?? Promise.resolve(), 'store-failed')
      same(await store.read('sessions').get(scope), { version: 1, ledger: ledger(1), offeredTools: [], overlay: [] })
      same(await store.read('originals').get(scope, 'lost'), undefined)
      same((await store.read('sessions').get(good))?.ledger, ledger(3))
      await store.commit({
        scope,
        nowMs: 4,
        writes: [
          { table: 'receipts', receipt: receipt('r4', [item(0)], ledger(1)) },
          { table: 'sessions', ledger: ledger(2) },
        ],
      })
      same((await store.read('receipts').get('acme', 'r4'))?.input?.ledger, ledger(1))
    }),

    makeCase('reads see the commits made before them, awaited or not', async ({ store }) => {
      const writing = store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      same((await store.read('sessions').get(scope))?.ledger, ledger(1))
      await writing
    }),

    makeCase('closing writes what still waits', async ({ store }) => {
      const writing = store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
      await store.close()
      await writing
    }),
  ]
}

/** Values, and what becomes of what nobody uses. */
export function upkeepCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('keeps values; the first claim stands', async ({ store }) => {
      same(await store.read('values').get('secret'), undefined)
      same(await claimValue(store, 'secret', 'one'), 'one')
      same(await claimValue(store, 'secret', 'two'), 'one')
      await setValue(store, 'secret', 'three')
      same(await store.read('values').get('secret'), 'three')
    }),

    makeCase('prunes idle sessions with all they own, and nothing of the others', async ({ store }) => {
      const idle = { tenant: 'acme', session: 'idle' }
      const shared = { handle: 'shared', text: 'the same text in both sessions, kept once and needed twice' }
      const own = { handle: 'own', text: 'only here' }
      await store.commit({
        scope: idle,
        nowMs: 1,
        writes: [
          { table: 'receipts', receipt: receipt('r1') },
          { table: 'sessions', ledger: ledger(1) },
          { table: 'originals', originals: [shared, own] },
        ],
      })
      await store.commit({
        scope,
        nowMs: 100,
        writes: [
          { table: 'receipts', receipt: receipt('r2') },
          { table: 'sessions', ledger: ledger(1) },
          { table: 'originals', originals: [shared] },
        ],
      })
      same(await store.prune(150, { ...defaultRetention, sessionIdleMs: 100 }), { sessions: 1, receipts: 1 })
      same(await store.read('sessions').get(idle), undefined)
      same(await store.read('originals').get(idle, 'own'), undefined)
      same(await store.read('originals').get(scope, 'shared'), shared)
      same((await store.read('receipts').get('acme', 'r2'))?.input?.items, [item(0)])
      await store.commit({
        scope: idle,
        nowMs: 160,
        expectVersion: 0,
        writes: [
          { table: 'receipts', receipt: receipt('r3') },
          { table: 'sessions', ledger: ledger(2) },
        ],
      })
      same((await store.read('sessions').get(idle))?.ledger, ledger(2))
    }),

    makeCase('answers a ping', async ({ store }) => same(await store.ping(), undefined)),
  ]
}
