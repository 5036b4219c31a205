import { defaultRetention } from '../../stores/index.ts'
import type { OutcomeWrite, Scope, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'
import { scope } from './fixtures.ts'

function used(store: Store, at: Scope, nowMs: number): Promise<void> {
  return store.commit({ scope: at, nowMs, writes: [{ table: 'turns', requestId: `r${nowMs}`, items: [] }] })
}

function judge(store: Store, nowMs: number, outcome: OutcomeWrite, at: Scope = scope): Promise<void> {
  return store.commit({ scope: at, nowMs, writes: [{ table: 'outcomes', ...outcome }] })
}

function list(store: Store, tenant = 'acme', session = 's1') {
  return store.read('outcomes').list(tenant, session)
}

const passed = { requestId: 'r1', source: 'test', quality: 0.8 } as const

/** How good requests and sessions turned out. */
export function outcomeCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('outcomes: one for each request and source, for its tenant and session', async ({ store, openAgain }) => {
      await used(store, scope, 1)
      const whole = { source: 'person', quality: 1, note: 'odd é and "quoted"' } as const
      await judge(store, 2, passed)
      await judge(await openAgain(), 3, whole, { ...scope, lane: 'fork' })
      await judge(store, 4, { ...passed, source: 'person', quality: 0 })
      same(await list(store), [
        { ...passed, weight: 1, atMs: 2 },
        { ...whole, weight: 1, atMs: 3 },
        { requestId: 'r1', source: 'person', quality: 0, weight: 1, atMs: 4 },
      ])
      same(await list(store, 'other'), [])
      same(await list(store, 'acme', 's2'), [])
    }),

    makeCase('outcomes: the same again changes nothing; another value must replace the first', async ({ store }) => {
      await used(store, scope, 1)
      await judge(store, 2, { ...passed, note: 'first' })
      await judge(store, 3, { ...passed, note: 'second' })
      const first = { ...passed, note: 'first', weight: 1, atMs: 2 }
      same(await list(store), [first])
      await rejectsWith(judge(store, 4, { ...passed, quality: 0.2 }), 'conflict')
      await rejectsWith(judge(store, 4, { ...passed, quality: 0.2, replace: false }), 'conflict')
      same(await list(store), [first])
      await judge(store, 5, { ...passed, quality: 0.2, replace: true })
      same(await list(store), [{ ...passed, quality: 0.2, weight: 1, atMs: 5 }])
    }),

    makeCase('outcomes: no session, no outcome; and none changes the version of its session', async ({ store }) => {
      await rejectsWith(judge(store, 1, passed), 'conflict')
      await rejectsWith(judge(store, 1, { ...passed, replace: true }), 'conflict')
      same(await list(store), [])
      same(await store.read('sessions').lanes('acme', 's1'), [])
      await used(store, scope, 1)
      const before = await store.read('sessions').get(scope)
      await judge(store, 2, passed)
      same(await store.read('sessions').get(scope), before)
      await store.commit({ scope, nowMs: 3, expectVersion: before?.version ?? 0, writes: [{ table: 'sessions' }] })
    }),

    makeCase('outcomes: they go with the last lane of their session', async ({ store }) => {
      await used(store, scope, 1)
      await used(store, { ...scope, lane: 'fork' }, 100)
      await used(store, { ...scope, session: 's2' }, 1)
      await judge(store, 2, passed)
      await judge(store, 2, passed, { ...scope, session: 's2' })
      const retention = { ...defaultRetention, sessionIdleMs: 50 }
      same(await store.prune(120, retention), { sessions: 2, outcomes: 1 })
      same((await list(store)).length, 1)
      same(await list(store, 'acme', 's2'), [])
      same(await store.prune(1000, retention), { sessions: 1, outcomes: 1 })
      await used(store, scope, 1001)
      same(await list(store), [])
    }),
  ]
}
