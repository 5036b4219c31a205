import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OverlayPart } from '../src/core/index.ts'
import { isPrehendError } from '../src/core/index.ts'
import { defaultRetention } from '../src/stores/index.ts'
import type { Store } from '../src/stores/index.ts'
import { postgresStore } from '../src/stores/remote/index.ts'
import type { PostgresStoreOptions } from '../src/stores/remote/index.ts'
import { storeContract } from '../src/testing/index.ts'
import { item, ledger, receipt } from '../src/testing/store-contract/fixtures.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'

let server: PostgresServer
const opened: Store[] = []
let schemas = 0

beforeAll(async () => void (server = await startPostgres()))
afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))))
afterAll(() => server.stop())

async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await postgresStore({ url: server.url, connections: 2, ...options })
  opened.push(store)
  return store
}

function newSchema(): string {
  schemas += 1
  return `own_${schemas}`
}

/** Of two that never pause, one may find another version again and again, and is told so. */
async function untilWritten(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isPrehendError(error) || error.code !== 'conflict') throw error
    }
  }
}

const scope = { tenant: 'acme', session: 's1' }

/** A database of its own is a schema. */
const cases = storeContract('postgres', (database) =>
  postgresStore({ url: server.url, schema: database.replaceAll('-', '_'), connections: 2 }),
)

describe('store contract: PostgreSQL', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('PostgreSQL, shared by processes', () => {
  it('what many spend at once is counted to the last amount, and each id once', async () => {
    const schema = newSchema()
    const stores = [await open({ schema }), await open({ schema })]
    const sum = (unit: 'nanoUsd' | 'tokens', amount: number) => ({ scope: 'tenant', day: '2026-11-27', unit, amount })
    const commits = Array.from({ length: 200 }, async (_, at) => {
      const spent = [sum('nanoUsd', 1), sum('tokens', 3)]
      const write = { id: `r${at >> 1}`, spent: at % 4 < 2 ? spent : spent.toReversed() }
      await stores[at % 2]?.commit({ scope, nowMs: 1, writes: [{ table: 'spending', ...write }] })
    })
    await Promise.all(commits)
    const { sums } = (await stores[0]?.read('spending').standing('acme', { since: '2026-11-01', ids: [] })) ?? {}
    expect(sums?.toSorted((one, other) => one.amount - other.amount)).toEqual([sum('nanoUsd', 100), sum('tokens', 300)])
  })

  it('two that write to one session in turn and at once lose nothing and spoil nothing', async () => {
    const schema = newSchema()
    const stores = [await open({ schema }), await open({ schema })]
    const rounds = 30
    await Promise.all(
      stores.map(async (store, process) => {
        for (let round = 0; round < rounds; round += 1) {
          const name = `${process}-${round}`
          await untilWritten(() =>
            store.commit({
              scope,
              nowMs: round,
              writes: [
                { table: 'receipts', receipt: receipt(name, [item(round), item(round + 1)]) },
                { table: 'sessions', ledger: ledger(round + 1) },
                { table: 'originals', originals: [{ handle: name, text: name.repeat(200) }] },
              ],
            }),
          )
        }
      }),
    )
    const third = await open({ schema })
    expect((await third.read('sessions').get(scope))?.version).toBe(2 * rounds)
    expect((await third.read('sessions').get(scope))?.ledger).toEqual(ledger(rounds))
    const receipts = await third.read('receipts').list('acme', { limit: 100 })
    expect(receipts).toHaveLength(2 * rounds)
    for (const { requestId } of receipts) {
      const round = Number(requestId.split('-')[1])
      expect((await third.read('receipts').get('acme', requestId))?.input?.items).toEqual([
        item(round),
        item(round + 1),
      ])
      expect((await third.read('originals').get(scope, requestId))?.text).toBe(requestId.repeat(200))
    }
  })

  it('of two that decide on the same version, one is written and one is a conflict, every time', async () => {
    const schema = newSchema()
    const stores = [await open({ schema }), await open({ schema })]
    for (let version = 0; version < 20; version += 1) {
      const outcomes = await Promise.allSettled(
        stores.map((store, process) =>
          store.commit({
            scope,
            nowMs: version,
            expectVersion: version,
            writes: [{ table: 'sessions', offeredTools: [`${process} ${version}`] }],
          }),
        ),
      )
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      expect(refused.map((error) => isPrehendError(error) && error.code)).toEqual(['conflict'])
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
      const state = await stores[1 - winner]?.read('sessions').get(scope)
      expect(state).toMatchObject({ version: version + 1, offeredTools: [`${winner} ${version}`] })
    }
  })

  it('whoever follows the newest receipt misses none', async () => {
    const schema = newSchema()
    const count = 60
    const write = async (store: Store, process: number): Promise<void> => {
      for (let at = 0; at < count; at += 1)
        await store.commit({
          scope: { tenant: 'acme', session: `${process}` },
          nowMs: at,
          writes: [
            { table: 'receipts', receipt: receipt(`${process}-${at}`) },
            // Some take longer between the number of the receipt and the end of the transaction.
            {
              table: 'originals',
              originals: [{ handle: `${at}`, text: `${process} ${at} `.repeat(20_000 * process) }],
            },
          ],
        })
    }
    const stores = await Promise.all(Array.from({ length: 3 }, () => open({ schema })))
    const follower = await open({ schema })
    const written = new AbortController()
    const writing = Promise.all(stores.map(write)).then(() => written.abort())
    const seen = new Set<string>()
    let after = 0
    for (let isLast = false; !isLast;) {
      isLast = written.signal.aborted
      const found = await follower.read('receipts').list('acme', { after, limit: 1000 })
      for (const { requestId } of found) seen.add(requestId)
      after = found.at(-1)?.sequence ?? after
    }
    await writing
    expect(seen.size).toBe(stores.length * count)
  })

  it('texts that are removed in one process and used in another are there', async () => {
    const schema = newSchema()
    const [one, other] = [await open({ schema }), await open({ schema })]
    const retention = { ...defaultRetention, sessionIdleMs: 500 }
    for (let round = 0; round < 12; round += 1) {
      const originals = Array.from({ length: 40 }, (_, at) => ({ handle: `${at}`, text: `text ${at} of ${round}` }))
      const old = { tenant: 'acme', session: `old ${round}` }
      await one.commit({ scope: old, nowMs: 0, writes: [{ table: 'originals', originals }] })
      const pruning = delay(10).then(() => one.prune(1000, retention))
      for (const original of originals) {
        const scoped = { tenant: 'acme', session: `new ${round} ${original.handle}` }
        await other.commit({ scope: scoped, nowMs: 1000, writes: [{ table: 'originals', originals: [original] }] })
      }
      await pruning
      for (const { handle, text } of originals) {
        const found = await one.read('originals').get({ tenant: 'acme', session: `new ${round} ${handle}` }, handle)
        expect(found?.text).toBe(text)
      }
    }
  })

  it('many that open an empty database at once make it once', async () => {
    const schema = newSchema()
    const stores = await Promise.all(Array.from({ length: 4 }, () => open({ schema })))
    for (const store of stores) await expect(store.ping()).resolves.toBeUndefined()
  })

  it('characters that PostgreSQL refuses come back in names, notes and values', async () => {
    const store = await open({ schema: newSchema() })
    const odd = 'a\0b\uD800c\u0001d\uDFFF\u00010000'
    const at = { tenant: odd, session: odd, lane: odd }
    await store.commit({
      scope: at,
      nowMs: 1,
      writes: [
        { table: 'receipts', receipt: { ...receipt(odd), model: odd } },
        { table: 'originals', originals: [{ handle: odd, text: odd }] },
        { table: 'values', key: odd, value: odd },
        { table: 'made-media', key: odd, value: odd },
      ],
    })
    await store.commit({
      scope: at,
      nowMs: 2,
      writes: [{ table: 'outcomes', requestId: odd, source: 'test', quality: 1, note: odd }],
    })
    expect(await store.read('sessions').lanes(odd, odd, 'a\0')).toEqual([odd])
    expect(await store.read('receipts').get(odd, odd)).toMatchObject({ requestId: odd, model: odd, session: odd })
    expect(await store.read('receipts').list(odd, { limit: 1, model: odd })).toHaveLength(1)
    expect(await store.read('originals').get(at, odd)).toEqual({ handle: odd, text: odd })
    expect(await store.read('values').get(odd)).toBe(odd)
    expect((await store.read('made-media').get(odd, odd))?.value).toBe(odd)
    expect((await store.read('outcomes').list(odd, odd))[0]?.note).toBe(odd)
    expect((await store.read('names').find(odd, 'a\0', 9)).handles).toEqual([{ handle: odd, session: odd }])
  })
})

describe('PostgreSQL, when it fails', () => {
  it('of a server that is killed amid commits, what was acknowledged is there and nothing is half-written', async () => {
    const schema = newSchema()
    const store = await open({ schema, connections: 4 })
    const acknowledged: string[] = []
    const killed = new AbortController()
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; !killed.signal.aborted; round += 1) {
        const name = `${writer}-${round}`
        const overlay: OverlayPart[] = []
        const commit = store.commit({
          scope: { tenant: 'acme', session: `s${writer}` },
          nowMs: round,
          writes: [
            { table: 'receipts', receipt: receipt(name, [item(round)]) },
            { table: 'sessions', ledger: ledger(round + 1), overlay },
            { table: 'originals', originals: [{ handle: name, text: name.repeat(300) }] },
          ],
        })
        await commit.then(
          () => void acknowledged.push(name),
          () => undefined,
        )
      }
    }
    const writers = Array.from({ length: 12 }, (_, writer) => write(writer))
    await delay(700)
    await server.kill()
    const started = performance.now()
    await expect(store.read('sessions').get(scope)).rejects.toMatchObject({ code: 'store-failed' })
    expect(performance.now() - started).toBeLessThan(5_000)
    killed.abort()
    await Promise.all(writers)
    await server.start()

    await expect
      .poll(() =>
        store.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up')
    expect(acknowledged.length).toBeGreaterThan(50)
    for (const name of acknowledged) expect(await store.read('receipts').get('acme', name)).toBeDefined()
    for (let writer = 0; writer < writers.length; writer += 1) {
      const session = `s${writer}`
      const receipts = await store.read('receipts').list('acme', { limit: 10_000, session })
      const state = await store.read('sessions').get({ tenant: 'acme', session })
      const originals = await store.read('originals').all({ tenant: 'acme', session })
      // Each commit wrote one of each, and raised the version by one.
      expect(state?.version).toBe(receipts.length)
      expect(state?.ledger?.turns).toBe(Number(receipts[0]?.requestId.split('-')[1]) + 1)
      expect(originals.map(({ handle }) => handle).toSorted()).toEqual(
        receipts.map(({ requestId }) => requestId).toSorted(),
      )
      for (const { handle, text } of originals) expect(text).toBe(handle.repeat(300))
    }
    await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
    expect((await store.read('sessions').get(scope))?.ledger).toEqual(ledger(1))
  })

  it('of a server that answers nothing everything fails after its time; when it answers again, all goes on', async () => {
    const store = await open({ schema: newSchema(), timeoutMs: 600 })
    await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
    server.freeze(true)
    try {
      const started = performance.now()
      const write = store.commit({ scope, nowMs: 2, writes: [{ table: 'sessions', ledger: ledger(2) }] })
      const beside = store.commit({ scope: { ...scope, session: 's2' }, nowMs: 2, writes: [{ table: 'sessions' }] })
      await expect(write).rejects.toThrow('the server does not answer within 900 ms')
      await expect(beside).rejects.toThrow('the server does not answer within 900 ms')
      await expect(store.read('sessions').lanes('acme', 's1')).rejects.toMatchObject({ code: 'store-failed' })
      expect(performance.now() - started).toBeLessThan(2_800)
    } finally {
      server.freeze(false)
    }
    await expect
      .poll(() =>
        store.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up')
    // It may have been written; nobody was told so.
    expect([1, 2]).toContain((await store.read('sessions').get(scope))?.version)
    await store.commit({ scope, nowMs: 3, writes: [{ table: 'sessions', ledger: ledger(3) }] })
    expect((await store.read('sessions').get(scope))?.ledger).toEqual(ledger(3))
  })

  it('a server that is not there, an unknown database and a wrong password are named, the password is not', async () => {
    const refused = postgresStore({ url: 'postgres://prehend:secret@127.0.0.1:1/prehend' })
    await expect(refused).rejects.toMatchObject({ code: 'store-failed' })
    await expect(refused).rejects.toThrow(/ECONNREFUSED 127\.0\.0\.1:1.*postgres:\/\/127\.0\.0\.1:1\/prehend/)
    await expect(refused).rejects.not.toThrow('secret')
    await expect(postgresStore({ url: server.url.replace(/postgres$/, 'nowhere') })).rejects.toThrow(
      'database "nowhere" does not exist',
    )
    await expect(postgresStore({ url: 'localhost' })).rejects.toThrow('options.url: is no address')
    await expect(postgresStore({ url: server.url, schema: 'a"b' })).rejects.toThrow('options.schema: is no name')
    const locked = await startPostgres({ authentication: 'scram-sha-256', password: 'right-one' })
    try {
      const at = (password: string) => locked.url.replace('prehend@', `prehend:${password}@`)
      const wrong = postgresStore({ url: at('wrong-one') })
      await expect(wrong).rejects.toThrow('password authentication failed for user "prehend"')
      await expect(wrong).rejects.not.toThrow('wrong-one')
      const right = await postgresStore({ url: at('right-one') })
      await right.ping()
      await right.close()
    } finally {
      await locked.stop()
    }
  })

  it('of a database that is read only, reads answer and writes fail by name', async () => {
    const schema = newSchema()
    const writer = await open({ schema })
    await writer.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
    const store = await open({ schema, url: `${server.url}?default_transaction_read_only=on` })
    expect((await store.read('sessions').get(scope))?.ledger).toEqual(ledger(1))
    const write = store.commit({ scope, nowMs: 2, writes: [{ table: 'sessions', ledger: ledger(2) }] })
    await expect(write).rejects.toMatchObject({ code: 'store-failed' })
    await expect(write).rejects.toThrow('read-only transaction')
    await expect(store.ping()).rejects.toThrow('read-only transaction')
    expect((await writer.read('sessions').get(scope))?.ledger).toEqual(ledger(1))
  })

  it('refuses a schema that a newer version wrote', async () => {
    const schema = newSchema()
    await open({ schema })
    const sql = postgres(server.url, { max: 1 })
    await sql.unsafe(`UPDATE ${schema}.table_versions SET version = 99 WHERE name = 'receipts'`)
    await sql.end()
    await expect(postgresStore({ url: server.url, schema })).rejects.toThrow(
      /its table receipts has schema 99, this version knows 1\./,
    )
  })

  it('a session that somebody else holds locked fails after its time, and others go on', async () => {
    const schema = newSchema()
    const store = await open({ schema, timeoutMs: 500 })
    await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions', ledger: ledger(1) }] })
    const holder = postgres(server.url, { max: 1 })
    try {
      await holder.begin(async (sql) => {
        await sql.unsafe(`SELECT * FROM ${schema}.sessions FOR UPDATE`)
        const late = store.commit({ scope, nowMs: 2, writes: [{ table: 'sessions', ledger: ledger(2) }] })
        const other = store.commit({ scope: { ...scope, session: 's2' }, nowMs: 2, writes: [{ table: 'sessions' }] })
        await expect(late).rejects.toMatchObject({ code: 'store-failed' })
        await other
      })
    } finally {
      await holder.end()
    }
    await store.commit({ scope, nowMs: 3, writes: [{ table: 'sessions', ledger: ledger(3) }] })
    expect((await store.read('sessions').get(scope))?.ledger).toEqual(ledger(3))
  })
})
