import { defaultRetention } from '../../stores/index.ts'
import type { Store, Tables, Write } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { same } from './contract-case.ts'
import { scope, summary } from './fixtures.ts'

interface KeyedTable {
  readonly table: keyof Tables
  readonly values: readonly [unknown, unknown]
  /** Which value stands where a key is written again; the first one where absent. */
  readonly stands?: 'newest'
}

/** The tables of values by tenant and key, each with two values. */
const keyed = [
  { table: 'summaries', values: [summary('first'), summary('second')] },
  {
    table: 'kept-replies',
    values: [
      { session: 'one', lane: '' },
      { session: 'two', lane: 'fork' },
    ],
  },
  { table: 'reasoning-owners', values: ['anthropic a', 'google b'] },
  { table: 'made-media', values: ['data:image/png;base64,AAAA', 'data:image/png;base64,BBBB'] },
  { table: 'object-owners', values: ['acme', 'other'] },
  { table: 'extension-values', values: [{ notes: 1 }, ['second']], stands: 'newest' },
] as const satisfies readonly KeyedTable[]

type Keyed = (typeof keyed)[number]

export function keyedCases(makeCase: CaseMaker): readonly ContractCase[] {
  return keyed.flatMap((one) => casesOf(makeCase, one))
}

function casesOf(makeCase: CaseMaker, one: Keyed): readonly ContractCase[] {
  const { table, values } = one
  const [first, second] = values
  const [standing, which] = 'stands' in one ? [second, 'newest'] : [first, 'first']
  const write = (key: string, value: unknown) => ({ table, key, value }) as Write
  const get = (store: Store, tenant: string, key: string) => store.read(table).get(tenant, key)
  const put = (store: Store, nowMs: number, ...writes: readonly Write[]) => store.commit({ scope, nowMs, writes })
  return [
    makeCase(`${table}: the ${which} value of a key stands, for its tenant alone`, async ({ store, openAgain }) => {
      same(await get(store, 'acme', 'k'), undefined)
      await put(store, 1, write('k', first))
      await put(await openAgain(), 5, write('k', second), write('a key: with spaces, "quotes" and é', second))
      same(await get(store, 'acme', 'k'), { value: standing, writtenMs: 5 })
      same((await get(store, 'acme', 'a key: with spaces, "quotes" and é'))?.value, second)
      same(await get(store, 'other', 'k'), undefined)
    }),

    makeCase(`${table}: a value changes no session and is no handle`, async ({ store }) => {
      await put(store, 1, write('k', first))
      same(await store.read('sessions').get(scope), undefined)
      same(await store.read('sessions').lanes('acme', 's1'), [])
      same(await store.read('originals').all(scope), [])
      same((await store.read('names').find('acme', 'k', 9)).handles, [])
    }),

    makeCase(`${table}: goes when it was not written for as long as an idle session is kept`, async ({ store }) => {
      await put(store, 1, write('old', first), write('fresh', first))
      await put(store, 100, write('fresh', second))
      same(await store.prune(150, { ...defaultRetention, sessionIdleMs: 100 }), { [table]: 1 })
      same(await get(store, 'acme', 'old'), undefined)
      same((await get(store, 'acme', 'fresh'))?.value, standing)
      const own = { acme: { sessionIdleMs: 10, receiptAgeMs: 10 } }
      same(await store.prune(150, { ...defaultRetention, sessionIdleMs: 100, tenants: own }), { [table]: 1 })
      same(await get(store, 'acme', 'fresh'), undefined)
    }),
  ]
}
