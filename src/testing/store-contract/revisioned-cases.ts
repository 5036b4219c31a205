import type { SealedKey, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'

const sealed: SealedKey = {
  version: 'v1',
  dataKey: 'wrapped é',
  sealed: 'c2VhbGVk',
  prefix: 'sk-a',
  lastFour: '1234',
  setMs: 5,
}

interface Put {
  readonly tenant?: string
  readonly key?: string
  readonly revision: number
  readonly value?: SealedKey
}

function put(store: Store, { tenant = 'acme', key = 'openai', ...write }: Put): Promise<void> {
  const writes = [{ table: 'provider-keys', key, ...write }] as const
  return store.commit({ scope: { tenant, session: '' }, nowMs: 10 * write.revision, writes })
}

/** Values that count their revisions: keys of tenants for providers, and settings of tenants. */
export function revisionedCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('revisioned: a value is found by tenant and key, and in lists in their order', async (bench) => {
      const { store } = bench
      same(await store.read('provider-keys').get('acme', 'openai'), undefined)
      same(await store.read('provider-keys').list(), [])
      await put(store, { revision: 1, value: sealed })
      await put(store, { key: 'anthropic', revision: 1, value: { ...sealed, version: 'v2' } })
      await put(store, { tenant: 'Zebra', revision: 1, value: { ...sealed, version: 'v3' } })
      const other = await bench.openAgain()
      const stored = { tenant: 'acme', key: 'openai', revision: 1, value: sealed, writtenMs: 10 }
      same(await other.read('provider-keys').get('acme', 'openai'), stored)
      const named = (await other.read('provider-keys').list()).map(({ tenant, key }) => `${tenant} ${key}`)
      same(named, ['Zebra openai', 'acme anthropic', 'acme openai'])
      same(
        (await other.read('provider-keys').list('acme')).map(({ value }) => value.version),
        ['v2', 'v1'],
      )
      same(await other.read('provider-keys').list('nobody'), [])
      same(await other.read('tenant-settings').list(), [])
    }),

    makeCase('revisioned: each write follows the stored revision, removals too', async ({ store }) => {
      await rejectsWith(put(store, { revision: 2, value: sealed }), 'conflict')
      await rejectsWith(put(store, { revision: 2 }), 'conflict')
      await put(store, { revision: 1, value: sealed })
      await rejectsWith(put(store, { revision: 1, value: { ...sealed, version: 'other' } }), 'conflict')
      await rejectsWith(put(store, { tenant: 'other', revision: 2, value: sealed }), 'conflict')
      await put(store, { revision: 2, value: { ...sealed, version: 'v2' } })
      const second = await store.read('provider-keys').get('acme', 'openai')
      same([second?.revision, second?.value.version, second?.writtenMs], [2, 'v2', 20])
      await rejectsWith(put(store, { revision: 2 }), 'conflict')
      await put(store, { revision: 3 })
      same(await store.read('provider-keys').get('acme', 'openai'), undefined)
      await put(store, { revision: 1, value: sealed })
      same((await store.read('provider-keys').get('acme', 'openai'))?.revision, 1)
    }),

    makeCase('revisioned: of two writers of one revision, one gets it', async ({ store }) => {
      const tries = await Promise.allSettled([
        put(store, { revision: 1, value: sealed }),
        put(store, { revision: 1, value: { ...sealed, version: 'theirs' } }),
      ])
      same(tries.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    }),
  ]
}
