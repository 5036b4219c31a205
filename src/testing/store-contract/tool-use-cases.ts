import { defaultRetention } from '../../stores/index.ts'
import type { Store, ToolUseChange, ToolUseRow } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { scope } from './fixtures.ts'

const change = (name: string, more: Partial<ToolUseChange> = {}): ToolUseChange => ({
  name,
  offered: 0,
  called: 0,
  failed: 0,
  sessions: 0,
  calledIn: 0,
  ...more,
})
const add = (store: Store, nowMs: number, ...uses: readonly ToolUseChange[]): Promise<void> =>
  store.commit({ scope, nowMs, writes: [{ table: 'tool-uses', uses }] })
const row = (name: string, more: Partial<ToolUseRow> = {}): ToolUseRow => ({ ...change(name), queries: [], ...more })

/** How a tenant's tools were used. */
export function toolUseCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('tool-uses: counts add up by tool, for their tenant alone', async ({ store, openAgain }) => {
      const second = await openAgain()
      same(await store.read('tool-uses').all('acme'), [])
      await add(
        store,
        1,
        change('b', { offered: 2, sessions: 1 }),
        change('a "é"', { called: 1, queries: ['one two'] }),
      )
      await add(second, 2, change('b', { offered: 3, called: 1, failed: 4, sessions: 1, calledIn: 1 }))
      await add(store, 3, change('a "é"', { called: 1 }))
      const rows = [
        row('a "é"', { called: 2, queries: ['one two'] }),
        row('b', { offered: 5, called: 1, failed: 4, sessions: 2, calledIn: 1 }),
      ]
      for (const one of [store, second]) same(await one.read('tool-uses').all('acme'), rows)
      same(await store.read('tool-uses').all('other'), [])
      same(await store.read('sessions').get(scope), undefined)
    }),

    makeCase('tool-uses: what many add at once is counted to the last one', async ({ store, openAgain }) => {
      const stores = [store, await openAgain()]
      const uses = [change('a', { offered: 1 }), change('b', { called: 1 })]
      const commits = Array.from({ length: 60 }, (_, at) =>
        add(stores[at % 2] ?? store, 1, ...(at % 4 < 2 ? uses : uses.toReversed())),
      )
      await Promise.all(commits)
      same(await store.read('tool-uses').all('acme'), [row('a', { offered: 60 }), row('b', { called: 60 })])
    }),

    makeCase('tool-uses: the newest queries stand, and older conversations count less', async ({ store }) => {
      await add(store, 1, change('a', { queries: ['old words'] }), change('b', { sessions: 32, calledIn: 31 }))
      await add(store, 2, change('a', { queries: ['new words', 'old words'] }), change('b', { calledIn: 1 }))
      await add(store, 3, change('b', { sessions: 1 }))
      same(await store.read('tool-uses').all('acme'), [
        row('a', { queries: ['new words', 'old words'] }),
        row('b', { sessions: 17, calledIn: 16 }),
      ])
    }),

    makeCase('tool-uses: go when they were not written for as long as an idle session is kept', async ({ store }) => {
      await add(store, 1, change('old'), change('fresh'))
      await add(store, 100, change('fresh'))
      const kept = { ...defaultRetention, sessionIdleMs: 100 }
      const longer = { acme: { sessionIdleMs: 1000, receiptAgeMs: 10 } }
      same(await store.prune(150, { ...kept, tenants: longer }), {})
      same(await store.prune(150, kept), { 'tool-uses': 1 })
      same(await store.read('tool-uses').all('acme'), [row('fresh')])
      const own = { acme: { sessionIdleMs: 10, receiptAgeMs: 10 } }
      same(await store.prune(150, { ...kept, tenants: own }), { 'tool-uses': 1 })
    }),
  ]
}
