import { defaultRetention } from '../../stores/index.ts'
import type { SpendingStanding, SpendingSum, SpendingWrite, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { scope } from './fixtures.ts'

const day = '2026-11-27'

function sum(amount: number, more: Partial<SpendingSum> = {}): SpendingSum {
  return { scope: 'tenant', day, unit: 'nanoUsd', amount, ...more }
}

function spend(store: Store, nowMs: number, ...writes: readonly SpendingWrite[]): Promise<void> {
  return store.commit({ scope, nowMs, writes: writes.map((write) => ({ table: 'spending', ...write })) })
}

async function standing(store: Store, ids: readonly string[] = [], since = '2026-11-01'): Promise<SpendingStanding> {
  const { sums, recorded } = await store.read('spending').standing('acme', { since, ids })
  const key = (one: SpendingSum): string => [one.scope, one.day, one.unit].join(' ')
  return {
    sums: sums.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)),
    recorded: recorded.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }
}

/** What was spent of budgets. */
export function spendingCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase(
      'spending: amounts add up by scope, day and unit, for their tenant alone',
      async ({ store, openAgain }) => {
        const first = { id: 'a', spent: [sum(5), sum(7, { unit: 'tokens' }), sum(5, { scope: 'key:odd: é "x"' })] }
        await spend(store, 1, first)
        await spend(await openAgain(), 2, { id: 'b', spent: [sum(9_007_199_254_000_000)] })
        await spend(store, 3, { id: 'c', spent: [sum(2, { day: '2026-11-26' }), sum(1, { day: '2026-10-31' })] })
        same(await standing(store, ['a', 'none']), {
          sums: [
            sum(5, { scope: 'key:odd: é "x"' }),
            sum(2, { day: '2026-11-26' }),
            sum(9_007_199_254_000_005),
            sum(7, { unit: 'tokens' }),
          ],
          recorded: [first],
        })
        const others = await store.read('spending').standing('other', { since: '2026-11-01', ids: ['a'] })
        same(others, { sums: [], recorded: [] })
      },
    ),

    makeCase('spending: an id counts once; what it came to takes the place of what lapsed', async ({ store }) => {
      await spend(store, 1, { id: 'a', spent: [sum(5)] }, { id: 'a', spent: [sum(5)] })
      await spend(store, 2, { id: 'a', spent: [sum(9)], lapsed: true })
      same((await standing(store)).sums, [sum(5)])
      await spend(store, 3, { id: 'b', spent: [sum(10), sum(4, { unit: 'tokens' })], lapsed: true })
      await spend(store, 3, { id: 'b', spent: [sum(10)], lapsed: true })
      const lapsed = await standing(store, ['b'])
      same(lapsed.sums, [sum(15), sum(4, { unit: 'tokens' })])
      same(lapsed.recorded[0]?.lapsed, true)
      await spend(store, 4, { id: 'b', spent: [sum(3)] })
      await spend(store, 5, { id: 'b', spent: [sum(3)] })
      const settled = await standing(store, ['b'])
      same(settled.sums, [sum(8), sum(0, { unit: 'tokens' })])
      same(settled.recorded, [{ id: 'b', spent: [sum(3)] }])
    }),

    makeCase('spending: what two openers count in turn is in the sums of both', async ({ store, openAgain }) => {
      const stores = [store, await openAgain()]
      for (let at = 0; at < 20; at += 1) {
        const spent = [sum(1), sum(at, { unit: 'tokens' })]
        await spend(stores[at % 2] ?? store, 1, { id: `r${at}`, spent: at % 4 < 2 ? spent : spent.toReversed() })
      }
      for (const one of stores) same((await standing(one)).sums, [sum(20), sum(190, { unit: 'tokens' })])
    }),

    makeCase('spending: ids go when their month is over, and sums after more than a year', async ({ store }) => {
      const dayMs = 86_400_000
      const startMs = Date.parse(`${day}T00:00:00Z`)
      await spend(store, startMs, { id: 'a', spent: [sum(5)] })
      const kept = { ...defaultRetention, sessionIdleMs: dayMs, receiptAgeMs: dayMs }
      same(await store.prune(startMs + 39 * dayMs, kept), {})
      same(await store.prune(startMs + 41 * dayMs, kept), { spending: 1 })
      same(await standing(store, ['a']), { sums: [sum(5)], recorded: [] })
      same(await store.prune(startMs + 401 * dayMs, kept), { spending: 1 })
      same((await standing(store)).sums, [])
    }),
  ]
}
