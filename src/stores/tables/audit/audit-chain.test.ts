import { expect, it } from 'vitest'
import { hashOf, nextEntry, noChains, readEntry } from './audit-chain.ts'
import type { AuditEntry } from './audit-entry.ts'

const change = { actor: 'boss', action: 'key.create', target: 'key_1', from: '127.0.0.1', afterHash: 'aa' }

function chain(length: number, tenant = 'acme'): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let atMs = 0; atMs < length; atMs += 1) entries.push(nextEntry(entries.at(-1), { tenant, atMs, change }))
  return entries
}

const brokenIn = (entries: readonly AuditEntry[]) => entries.reduce(readEntry, noChains).broken

/** As somebody would change it who can also compute its hash. */
function forged(entry: AuditEntry, more: Partial<AuditEntry>): AuditEntry {
  const { hash: _, ...rest } = { ...entry, ...more }
  return { ...rest, hash: hashOf(rest) }
}

it('chains fit, also mixed, and where their oldest entries have gone', () => {
  const [one, other] = [chain(3), chain(2, 'other')]
  const read = [one[0]!, other[0]!, one[1]!, other[1]!, one[2]!].reduce(readEntry, noChains)
  expect([read.entries, read.broken]).toEqual([5, undefined])
  expect(read.chains.get('acme')).toEqual({ tenant: 'acme', firstSeq: 1, end: { seq: 3, hash: one[2]!.hash } })
  expect(one.slice(1).reduce(readEntry, noChains).chains.get('acme')?.firstSeq).toBe(2)
})

it.each(['actor', 'action', 'target', 'from', 'tenant', 'beforeHash', 'afterHash', 'previousHash'] as const)(
  'an entry whose %s was changed is the first that does not fit',
  (member) => {
    const entries = chain(4)
    const changed = { ...entries[2]!, [member]: 'x' }
    expect(brokenIn(entries.with(2, changed))).toMatchObject({ seq: 3 })
    const hashed = entries.with(2, forged(entries[2]!, { [member]: 'x' }))
    expect(brokenIn(hashed)).toMatchObject({ seq: member === 'previousHash' ? 3 : 4 })
  },
)

it('a time that was changed, a removed entry and one put in are found', () => {
  const entries = chain(4)
  expect(brokenIn(entries.with(1, { ...entries[1]!, atMs: 9 }))).toMatchObject({
    tenant: 'acme',
    seq: 2,
    problem: 'its hash is not that of its members: the entry was changed',
  })
  expect(brokenIn(entries.toSpliced(1, 1))?.problem).toBe('it follows entry 1: entries between them are missing')
  expect(brokenIn(entries.toSpliced(2, 0, entries[1]!))).toMatchObject({ seq: 2 })
  expect(brokenIn([forged(entries[0]!, { previousHash: 'x' })])?.problem).toBe('it names an entry before the first one')
})
