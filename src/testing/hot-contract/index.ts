import { same } from '../store-contract/contract-case.ts'
import type { ContractCase } from '../contract-case.ts'
import type { HotUnderTest } from './hot-under-test.ts'
import { ledgerCases } from './ledger-cases.ts'

export type { HotUnderTest } from './hot-under-test.ts'

/** What every implementation of `Hot` must do, for any test runner. Each case opens an empty state. */
export function hotContract(name: string, open: () => Promise<HotUnderTest>): readonly ContractCase[] {
  const make = (what: string, work: (under: HotUnderTest) => Promise<void>): ContractCase => ({
    name: `${name}: ${what}`,
    run: async () => work(await open()),
  })
  return [
    make('a value stands for its time, and the newest one stands', async ({ hot, beside, advance }) => {
      same(await hot.get('k'), undefined)
      await hot.put('k', 'one', 1000)
      await beside.put('k', 'two', 500)
      same(await hot.get('k'), 'two')
      same(await hot.get('other'), undefined)
      await advance(501)
      same(await hot.get('k'), undefined)
    }),

    make('of many takes at once no more succeed than there is room for', async ({ hot, beside }) => {
      const limit = { most: 10, ttlMs: 60_000 }
      const takes = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? hot : beside).take('budget', 1, limit))
      same((await Promise.all(takes)).filter(({ taken }) => taken).length, 10)
      const over = await hot.take('budget', 1, limit)
      same([over.taken, over.left], [false, 0])
      same((await hot.take('another', 10, limit)).taken, true)
    }),

    make('an amount is taken whole or not at all, and may be given back', async ({ hot, advance }) => {
      const limit = { most: 10, ttlMs: 1000 }
      same((await hot.take('b', 8, limit)).left, 2)
      const refused = await hot.take('b', 3, limit)
      same([refused.taken, refused.left], [false, 2])
      same((await hot.take('b', -5, limit)).left, 7)
      same((await hot.take('b', -50, limit)).left, 10)
      same((await hot.take('b', 10, limit)).taken, true)
      await advance(1001)
      same((await hot.take('b', 10, limit)).taken, true)
    }),

    make('a lease has one owner, who may prolong it and end it', async ({ hot, beside, advance }) => {
      same(await hot.lease('job', 'a', 1000), true)
      same(await beside.lease('job', 'b', 1000), false)
      await advance(900)
      same(await hot.lease('job', 'a', 1000), true)
      await advance(900)
      same(await beside.lease('job', 'b', 1000), false)
      await beside.release('job', 'b')
      same(await beside.lease('job', 'b', 1000), false)
      await hot.release('job', 'a')
      same(await beside.lease('job', 'b', 1000), true)
      await advance(1001)
      same(await hot.lease('job', 'a', 1000), true)
    }),

    make('a message reaches those who listen, until they no longer do', async ({ hot, beside, advance }) => {
      const heard: string[] = []
      const stop = hot.subscribe('news', (message) => void heard.push(`one ${message}`))
      const stopOther = beside.subscribe('news', (message) => void heard.push(`two ${message}`))
      hot.subscribe('other', (message) => void heard.push(`other ${message}`))
      await advance(0)
      await beside.publish('news', 'a')
      await advance(10)
      same(heard.toSorted(), ['one a', 'two a'])
      stop()
      stop()
      await hot.publish('news', 'b')
      await advance(10)
      same(heard.toSorted(), ['one a', 'two a', 'two b'])
      stopOther()
    }),

    ...ledgerCases(make),
  ]
}
