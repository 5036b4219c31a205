import { auditHash, defaultRetention, noChains, readEntry } from '../../stores/index.ts'
import type { AuditEntry, AuditWrite, Store, VirtualKey } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'

function change(target: string, more: Partial<AuditWrite> = {}): AuditWrite {
  return { actor: 'key_1', action: 'key.create', target, from: '127.0.0.1', ...more }
}

function note(store: Store, nowMs: number, target: string, tenant = 'acme'): Promise<void> {
  const writes = [{ table: 'audit', ...change(target) }] as const
  return store.commit({ scope: { tenant, session: '' }, nowMs, writes })
}

const chains = (store: Store, tenant?: string): Promise<readonly AuditEntry[]> =>
  store.read('audit').list({ ...(tenant !== undefined && { tenant }), order: 'chain', limit: 100 })

const targets = (entries: readonly AuditEntry[]): readonly string[] => entries.map(({ target }) => target)

/** The audit log. */
export function auditCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('audit: each tenant has a chain of its own', async ({ store, openAgain }) => {
      const hashes = { beforeHash: 'aa', afterHash: 'bb' }
      const odd = change('odd é "quoted"', hashes)
      await store.commit({ scope: { tenant: 'acme', session: '' }, nowMs: 7, writes: [{ table: 'audit', ...odd }] })
      await note(await openAgain(), 5, 'second')
      await note(store, 6, 'alone', 'other')
      const [first, second] = await chains(store, 'acme')
      const { hash, ...rest } = first as AuditEntry
      same(rest, { seq: 1, atMs: 7, tenant: 'acme', ...odd, previousHash: '0'.repeat(64) })
      same(hash, auditHash(rest))
      same([second?.seq, second?.previousHash, second?.target], [2, hash, 'second'])
      same(targets(await chains(store, 'other')), ['alone'])
      same(targets(await chains(store, 'none')), [])
      const read = (await chains(store)).reduce(readEntry, noChains)
      same([read.entries, read.chains.size, read.broken], [3, 2, undefined])
    }),

    makeCase('audit: lists go on, newest first and chain by chain', async ({ store }) => {
      await note(store, 10, 'a')
      await note(store, 30, 'b')
      await note(store, 20, 'c', 'other')
      await note(store, 30, 'd')
      const list = store.read('audit').list
      const newest = await list({ order: 'newest', limit: 2 })
      same(targets(newest), ['d', 'b'])
      same(targets(await list({ order: 'newest', limit: 9, after: newest[1]! })), ['c', 'a'])
      same(targets(await list({ order: 'newest', limit: 9, tenant: 'acme', after: newest[0]! })), ['b', 'a'])
      const chain = await list({ order: 'chain', limit: 3 })
      same(targets(chain), ['a', 'b', 'd'])
      same(targets(await list({ order: 'chain', limit: 9, after: chain[2]! })), ['c'])
      same(targets(await list({ order: 'chain', limit: 9, tenant: 'acme', after: chain[0]! })), ['b', 'd'])
    }),

    makeCase('audit: entries of many writers at once make one chain', async ({ store, openAgain }) => {
      const other = await openAgain()
      const writers = Array.from({ length: 40 }, (_, index) => note(index % 2 ? store : other, index, `t${index}`))
      await Promise.all(writers)
      const entries = await chains(store, 'acme')
      same(
        entries.map(({ seq }) => seq),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
      same(entries.reduce(readEntry, noChains).broken, undefined)
    }),

    makeCase('audit: an entry stands or falls with the change of its unit', async ({ store }) => {
      const key: VirtualKey = {
        id: 'k',
        tenant: 'acme',
        name: 'k',
        hash: 'h',
        prefix: 'phd_',
        scopes: ['inference'],
        createdMs: 1,
        revision: 1,
      }
      const unit = {
        scope: { tenant: 'acme', session: '' },
        nowMs: 1,
        writes: [
          { table: 'keys', key },
          { table: 'audit', ...change('k') },
        ],
      } as const
      await store.commit(unit)
      await rejectsWith(store.commit(unit), 'conflict')
      same(targets(await chains(store)), ['k'])
    }),

    makeCase('audit: retention removes old entries only where it says so, and never the last', async ({ store }) => {
      for (const [nowMs, target] of [
        [10, 'a'],
        [500, 'b'],
        [20, 'c'],
        [600, 'd'],
      ] as const)
        await note(store, nowMs, target)
      await note(store, 10, 'old', 'other')
      await note(store, 11, 'last', 'other')
      const usual = { ...defaultRetention, sessionIdleMs: 1, receiptAgeMs: 1 }
      same(await store.prune(1e12, usual), {})
      same(await store.prune(700, { ...usual, auditAgeMs: 250 }), { audit: 2 })
      same(targets(await chains(store)), ['b', 'c', 'd', 'last'])
      same(await store.prune(1e12, { ...usual, auditAgeMs: 1 }), { audit: 2 })
      await note(store, 1e12, 'e')
      const left = await chains(store)
      same(targets(left), ['d', 'e', 'last'])
      same(left.reduce(readEntry, noChains).broken, undefined)
    }),
  ]
}
