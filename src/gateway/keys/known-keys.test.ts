import { describe, expect, it } from 'vitest'
import { inProcessHot, memoryStore } from '../../stores/index.ts'
import type { Hot, Store, VirtualKey } from '../../stores/index.ts'
import { knownKeys } from './known-keys.ts'

const key: VirtualKey = {
  id: 'key_1',
  tenant: 'acme',
  name: 'ci',
  hash: 'the hash',
  prefix: 'phd_abcdef',
  scopes: ['inference'],
  createdMs: 0,
  revision: 1,
}

interface Counted {
  readonly store: Store
  readonly reads: string[]
  /** Called before each read is answered. */
  before: () => Promise<void> | void
}

async function countedStore(): Promise<Counted> {
  const store = memoryStore()
  await write(store, key)
  const keys = store.read('keys')
  const counted: Counted = {
    reads: [],
    before: () => undefined,
    store: {
      ...store,
      read: ((name: 'keys') =>
        name === 'keys'
          ? {
              ...keys,
              async byHash(hash: string) {
                counted.reads.push(hash)
                const found = await keys.byHash(hash)
                await counted.before()
                return found
              },
            }
          : store.read(name)) as Store['read'],
    },
  }
  return counted
}

function write(store: Store, one: VirtualKey): Promise<void> {
  return store.commit({ scope: { tenant: 'acme', session: '' }, nowMs: 0, writes: [{ table: 'keys', key: one }] })
}

async function opened(hot: Hot = inProcessHot(), counted?: Counted) {
  const stored = counted ?? (await countedStore())
  const clock = { nowMs: 1_000_000 }
  const failures: string[] = []
  const keys = knownKeys({
    store: stored.store,
    hot,
    clock: () => clock.nowMs,
    limitMs: 1000,
    failed: (doing) => void failures.push(doing),
  })
  return { keys, clock, failures, counted: stored, store: stored.store }
}

describe('known keys', () => {
  it('are at hand without the store, for seconds; those in use are read again before that', async () => {
    const { keys, clock, counted } = await opened()
    expect(keys.find('the hash')).toBeInstanceOf(Promise)
    expect(await keys.find('the hash')).toEqual(key)
    expect(keys.find('the hash')).toEqual(key)
    clock.nowMs += 2499
    expect(keys.find('the hash')).toEqual(key)
    expect(counted.reads).toHaveLength(1)
    clock.nowMs += 1
    expect(keys.find('the hash')).toEqual(key)
    await Promise.resolve()
    expect(counted.reads).toHaveLength(2)
    await expect.poll(() => counted.reads.length).toBe(2)
    clock.nowMs += 10_000
    expect(keys.find('the hash')).toBeInstanceOf(Promise)
  })

  it('also that there is none, until one is made', async () => {
    const { keys, counted, store } = await opened()
    expect(await keys.find('another')).toBeUndefined()
    expect(keys.find('another')).toBeUndefined()
    expect(counted.reads).toHaveLength(1)
    const another = { ...key, id: 'key_2', hash: 'another' }
    await write(store, another)
    await keys.changed(another)
    expect(await keys.find('another')).toEqual(another)
  })

  it('many guesses push out no known key', async () => {
    const { keys, counted } = await opened()
    await keys.find('the hash')
    for (let guess = 0; guess < 10_100; guess += 1) await keys.find(`guess ${guess}`)
    expect(keys.find('the hash')).toEqual(key)
    const reads = counted.reads.length
    expect(keys.find('guess 10099')).toBeUndefined()
    expect(counted.reads).toHaveLength(reads)
    expect(keys.find('guess 0')).toBeInstanceOf(Promise)
  })

  it('a change is heard of by every process, at once', async () => {
    const [hot, counted] = [inProcessHot(), await countedStore()]
    const [one, other] = [await opened(hot, counted), await opened(hot, counted)]
    for (const { keys } of [one, other]) await keys.find('the hash')
    const revoked = { ...key, revision: 2, revokedMs: 5 }
    await write(counted.store, revoked)
    await one.keys.changed(revoked)
    for (const { keys } of [one, other]) expect(await keys.find('the hash')).toEqual(revoked)
    other.keys.close()
    await write(counted.store, { ...revoked, revision: 3, name: 'later' })
    await one.keys.changed(revoked)
    expect(other.keys.find('the hash')).toEqual(revoked)
  })

  it('a key that changes while it is read is read again', async () => {
    const { keys, counted, store } = await opened()
    const revoked = { ...key, revision: 2, revokedMs: 5 }
    counted.before = async () => {
      counted.before = () => undefined
      await write(store, revoked)
      await keys.changed(revoked)
    }
    expect(await keys.find('the hash')).toEqual(revoked)
    expect(keys.find('the hash')).toEqual(revoked)
    expect(counted.reads).toHaveLength(2)
  })

  it('those who ask at once wait for one read', async () => {
    const { keys, counted } = await opened()
    await Promise.all(Array.from({ length: 9 }, async () => keys.find('the hash')))
    expect(counted.reads).toHaveLength(1)
  })

  it('without a store, known keys go on for minutes, and others are not checked', async () => {
    const { keys, clock, counted, failures } = await opened()
    await keys.find('the hash')
    counted.before = () => Promise.reject(new Error('no store'))
    clock.nowMs += 299_000
    expect(await keys.find('the hash')).toEqual(key)
    expect(keys.find('the hash')).toEqual(key)
    expect(failures).toEqual(['read'])
    await expect(keys.find('another')).rejects.toMatchObject({ code: 'unavailable' })
    clock.nowMs += 6000
    await expect(keys.find('the hash')).rejects.toMatchObject({ code: 'unavailable' })
    counted.before = () => undefined
    expect(await keys.find('the hash')).toEqual(key)
  })

  it('a message that cannot be sent ends the key here all the same', async () => {
    const hot: Hot = { ...inProcessHot(), publish: () => Promise.reject(new Error('no server')) }
    const { keys, failures, store } = await opened(hot)
    await keys.find('the hash')
    const revoked = { ...key, revision: 2, revokedMs: 5 }
    await write(store, revoked)
    await keys.changed(revoked)
    expect(failures).toEqual(['publish'])
    expect(await keys.find('the hash')).toEqual(revoked)
  })

  it('a use is stored at most once a minute', async () => {
    const { keys, clock, store } = await opened()
    await keys.find('the hash')
    const lastUsed = async () => (await store.read('keys').get('acme', 'key_1'))?.lastUsedMs
    const first = clock.nowMs
    keys.used(key)
    expect(await lastUsed()).toBe(first)
    clock.nowMs += 59_999
    await keys.find('the hash')
    keys.used(key)
    expect(await lastUsed()).toBe(first)
    clock.nowMs += 1
    keys.used(key)
    expect(await lastUsed()).toBe(first + 60_000)
  })
})
