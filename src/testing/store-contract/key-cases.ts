import { defaultRetention } from '../../stores/index.ts'
import type { Store, VirtualKey } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'

function key(id: string, more: Partial<VirtualKey> = {}): VirtualKey {
  const own = { id, tenant: 'acme', name: `the key "${id}" é`, hash: `hash of ${id}`, prefix: 'phd_abcdef' }
  return { ...own, scopes: ['inference'], createdMs: 5, revision: 1, ...more }
}

function put(store: Store, ...keys: readonly VirtualKey[]): Promise<void> {
  const scope = { tenant: keys[0]?.tenant ?? '', session: '' }
  return store.commit({ scope, nowMs: 5, writes: keys.map((one) => ({ table: 'keys', key: one })) })
}

function use(store: Store, nowMs: number, id: string, tenant = 'acme'): Promise<void> {
  return store.commit({ scope: { tenant, session: '' }, nowMs, urgency: 'idle', writes: [{ table: 'keys', used: id }] })
}

const full = key('full', {
  team: 'build',
  user: 'robot',
  scopes: ['inference', 'read', 'admin'],
  allowedModels: ['gpt-*'],
  allowedRoutes: ['GET /v1/models'],
  expiresMs: 100,
})

/** Virtual keys. */
export function keyCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('keys: one is found by its hash, and by its tenant and id', async ({ store, openAgain }) => {
      same(await store.read('keys').byHash(full.hash), undefined)
      await put(store, full)
      const other = await openAgain()
      same(await other.read('keys').byHash(full.hash), full)
      same(await other.read('keys').get('acme', 'full'), full)
      same(await other.read('keys').get('other', 'full'), undefined)
      same(await other.read('keys').get('acme', 'full '), undefined)
      await put(store, key('full', { tenant: 'other', hash: 'another hash' }))
      same((await store.read('keys').get('acme', 'full'))?.hash, full.hash)
      same((await store.read('keys').byHash('another hash'))?.tenant, 'other')
    }),

    makeCase('keys: an id and a hash are taken once, and a change follows the stored revision', async (bench) => {
      const { store } = bench
      await put(store, full)
      await rejectsWith(put(store, full), 'conflict')
      await rejectsWith(put(store, key('second', { tenant: 'other', hash: full.hash })), 'conflict')
      await rejectsWith(put(store, key('absent', { revision: 2 })), 'conflict')
      await rejectsWith(put(store, { ...full, revision: 3 }), 'conflict')
      const revoked = { ...full, revision: 2, revokedMs: 50 }
      await put(store, revoked)
      await rejectsWith(put(await bench.openAgain(), { ...full, revision: 2, name: 'late' }), 'conflict')
      same(await store.read('keys').byHash(full.hash), revoked)
      await rejectsWith(put(store, key('new'), { ...full, revision: 2 }), 'conflict')
      same(await store.read('keys').get('acme', 'new'), undefined)
    }),

    makeCase('keys: the last use is kept beside changes, and is the latest', async ({ store }) => {
      await put(store, full)
      await use(store, 70, 'full')
      await use(store, 60, 'full')
      await use(store, 90, 'full', 'other')
      await use(store, 90, 'absent')
      await put(store, { ...full, revision: 2, name: 'renamed' })
      same(await store.read('keys').get('acme', 'full'), { ...full, revision: 2, name: 'renamed', lastUsedMs: 70 })
      same(await store.read('keys').get('acme', 'absent'), undefined)
    }),

    makeCase('keys: lists are the newest first, of a tenant or of all, and go on', async ({ store }) => {
      await put(store, key('a'), key('b', { createdMs: 9 }), key('c'))
      await put(store, key('d', { tenant: 'other', createdMs: 7 }))
      const ids = async (query: Parameters<ReturnType<typeof store.read<'keys'>>['list']>[0]) =>
        (await store.read('keys').list(query)).map(({ id }) => id)
      same(await ids({ tenant: 'acme', limit: 9 }), ['b', 'c', 'a'])
      same(await ids({ limit: 2 }), ['b', 'd'])
      same(await ids({ limit: 9, after: { createdMs: 7, id: 'd' } }), ['c', 'a'])
      same(await ids({ tenant: 'acme', limit: 9, after: { createdMs: 5, id: 'c' } }), ['a'])
      same(await ids({ tenant: 'none', limit: 9 }), [])
      same(await store.read('keys').tenants(), ['acme', 'other'])
    }),

    makeCase('keys: retention removes none', async ({ store }) => {
      await put(store, { ...full, revokedMs: 6 })
      same(await store.prune(1e12, { ...defaultRetention, sessionIdleMs: 1, receiptAgeMs: 1, auditAgeMs: 1 }), {})
      same((await store.read('keys').get('acme', 'full'))?.revokedMs, 6)
    }),
  ]
}
