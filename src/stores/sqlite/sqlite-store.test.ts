import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { ConversationLedger, Manifest } from '../../core/index.ts'
import { sqliteStore } from './sqlite-store.ts'
import type { Store } from '../store.ts'
import { noCost } from '../tables/results/session-cost.ts'
import { migrations } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const writerFile = fileURLToPath(new URL('crash-writer.child.ts', import.meta.url))

const scope = { tenant: 'acme', session: 's1' }

function ledger(turns: number): ConversationLedger {
  const entries = Array.from({ length: turns }, (_, index) => ({
    key: `k${index}`,
    rung: 'full' as const,
    tokens: 2,
    originalTokens: 2,
  }))
  const account = { passThrough: 0, actual: 0 }
  const tokens = { lastTokens: 0, lastOriginalTokens: 0 }
  return {
    schema: 'prehend.ledger/2',
    layout: 'messages',
    epoch: 1,
    policyId: 'p',
    entries,
    turns,
    ...tokens,
    account,
    rehydrations: 0,
    regret: 0,
  }
}

const manifest = { policyId: 'careful', decisions: [], sections: [] } as unknown as Manifest

function rowsIn(path: string, table: string): number {
  const db = new DatabaseSync(path, { readOnly: true })
  const count = Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
  db.close()
  return count
}

/** Runs the writer, kills it some time after its first acknowledgement, and gives what it acknowledged. */
function killedWriter(path: string, kind: string, run: number, afterMs: number): Promise<Map<string, number>> {
  const writer = spawn(process.execPath, [writerFile, path, String(run), kind])
  let output = ''
  let errors = ''
  writer.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()))
  writer.stdout.on('data', (chunk: Buffer) => {
    if (output === '') setTimeout(() => writer.kill('SIGKILL'), afterMs)
    output += chunk.toString()
  })
  return new Promise((done, failed) => {
    writer.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return failed(new Error(errors))
      const lines = output.split('\n').slice(0, -1)
      done(new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])])))
    })
  })
}

/** All that the store holds of a session, which the writer fills evenly: it must agree with itself. */
async function expectWhole(store: Store, session: string, acknowledged: number): Promise<void> {
  const own = { tenant: 'acme', session }
  const state = await store.read('sessions').get(own)
  const turns = state?.ledger?.turns ?? 0
  expect(turns).toBeGreaterThanOrEqual(acknowledged)
  expect(state?.ledger).toMatchObject({ entries: { length: turns } })
  const ids = Array.from({ length: turns }, (_, index) => `${session}-${index + 1}`)
  expect(state?.overlay.map((part) => part.kind === 'hidden-turn' && part.turn.visibleText)).toEqual(ids)
  const receipts = await store.read('receipts').list('acme', { limit: turns + 1, session })
  expect(receipts.map(({ requestId }) => requestId)).toEqual(ids.toReversed())
  for (const id of ids) {
    expect((await store.read('originals').get(own, id))?.text).toBe(`${id} `.repeat(500))
    expect((await store.read('receipts').get('acme', id))?.packId).toBe(id)
  }
}

describe('sqliteStore', () => {
  it.each(['caller', 'thread'])(
    'killed at any moment, what was acknowledged is there and nothing is half-written (on the thread of its %s)',
    { timeout: 60_000 },
    async (kind) => {
      const path = join(folder, `crash-${kind}.db`)
      for (const [run, afterMs] of [0, 3, 11, 29, 61, 127].entries()) {
        const acknowledged = await killedWriter(path, kind, run, afterMs)
        expect(acknowledged.size).toBeGreaterThan(0)
        const store = sqliteStore({ path })
        for (const [session, turn] of acknowledged) await expectWhole(store, session, turn)
        await store.close()
      }
      const db = new DatabaseSync(path)
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      db.close()
    },
  )

  it('is there again after it was closed and opened', async () => {
    const path = join(folder, 'nested', 'folder', 'again.db')
    const first = sqliteStore({ path })
    const original = { handle: 'h', text: 'kept' }
    await first.commit({
      scope,
      nowMs: 1,
      writes: [
        { table: 'sessions', ledger: ledger(2), offeredTools: ['rehydrate'] },
        { table: 'originals', originals: [original] },
      ],
    })
    await first.close()
    const second = sqliteStore({ path })
    expect(await second.read('sessions').get(scope)).toEqual({
      version: 1,
      ledger: ledger(2),
      offeredTools: ['rehydrate'],
      overlay: [],
    })
    expect(await second.read('originals').get(scope, 'h')).toEqual(original)
    await second.commit({ scope, nowMs: 2, writes: [{ table: 'sessions', ledger: ledger(3) }] })
    expect((await second.read('sessions').get(scope))?.ledger).toEqual(ledger(3))
    await second.close()
  })

  it('opens a database of the first schema: the offered tool and the hidden turns are there', async () => {
    const path = join(folder, 'old.db')
    const db = new DatabaseSync(path)
    db.exec(`${migrations[0]}; PRAGMA user_version = 1`)
    db.exec(`INSERT INTO sessions (id, tenant, name, lane, version, used_ms, tool_offered) VALUES
      (1, 'acme', 's1', '', 4, 9, 1), (2, 'acme', 's2', '', 1, 9, 0)`)
    const turns = ['first "quoted" \uD83E\uDD89', 'second'].map((visibleText) => ({
      visibleText,
      visibleCallIds: ['c'],
      visibleBlocks: 1,
      assistantIndex: 2,
      rounds: [],
      calls: [{ at: 0, raw: '{"id":"1"}' }],
      results: [],
    }))
    const insert = db.prepare('INSERT INTO hidden_turns (session_id, ordinal, turn) VALUES (1, ?, ?)')
    for (const [index, turn] of turns.entries()) insert.run(index + 1, JSON.stringify(turn))
    db.close()

    const store = sqliteStore({ path })
    const overlay = turns.map((turn) => ({ kind: 'hidden-turn' as const, turn }))
    expect(await store.read('sessions').get(scope)).toEqual({ version: 4, offeredTools: ['rehydrate'], overlay })
    expect(await store.read('sessions').get({ ...scope, session: 's2' })).toEqual({
      version: 1,
      offeredTools: [],
      overlay: [],
    })
    expect(await store.read('results').sessions('acme', { limit: 1, session: 's2' })).toEqual([
      { session: 's2', usedMs: 9, cost: noCost },
    ])
    const grown = [...overlay, overlay[0]!]
    await store.commit({ scope, nowMs: 10, expectVersion: 4, writes: [{ table: 'sessions', overlay: grown }] })
    expect((await store.read('sessions').get(scope))?.overlay).toEqual(grown)
    await store.close()
  })

  it('opens a database of schema 7: what stood among the originals and values has tables of its own', async () => {
    const path = join(folder, 'schema-7.db')
    writeFileSync(path, gunzipSync(readFileSync(new URL('../fixtures/schema-7.sqlite.gz', import.meta.url))))
    const of = { tenant: 'acme', session: 's1', lane: 'l1' }
    const writtenMs = Date.UTC(2026, 10, 27)
    for (let opened = 1; opened <= 2; opened += 1) {
      const store = sqliteStore({ path })
      expect(await store.read('summaries').get('acme', 'gpt-5 k1')).toEqual({
        value: {
          key: 'k1',
          writer: 'gpt-5',
          prose: 'They "agreed".\nNothing else.',
          itemIds: ['m1', 'm2'],
          tokens: 9,
          sourceTokens: 90,
          writtenMs,
        },
        writtenMs,
      })
      const place = { value: { session: 's1', lane: 'l1' }, writtenMs }
      expect(await store.read('kept-replies').get('acme', 'resp_2')).toEqual(place)
      expect(await store.read('reasoning-owners').get('acme', '00ff')).toEqual({ value: 'anthropic claude', writtenMs })
      const made = { value: 'data:image/png;base64,AAAA', writtenMs }
      expect(await store.read('made-media').get('acme', '0123456789abcdef0123456789abcdef')).toEqual(made)
      expect(await store.read('object-owners').get('', 'openai file_1')).toEqual({ value: 'acme', writtenMs })
      expect(await store.read('originals').all(of)).toEqual([{ handle: '000000000012', text: 'an original' }])
      expect(await store.read('sessions').lanes('acme', 's1')).toEqual(['l1'])
      expect((await store.read('names').find('acme', 's', 9)).handles).toEqual([])
      await store.close()
    }
  })

  it('opens a database of schema 5, which does not tell marks from packing: what it saved was saved by packing', async () => {
    const path = join(folder, 'schema-5.db')
    writeFileSync(path, gunzipSync(readFileSync(new URL('../fixtures/schema-5.sqlite.gz', import.meta.url))))
    const store = sqliteStore({ path })
    const sessions = await store.read('results').sessions('default', { limit: 9 })
    const old = { observedUsd: 0, ifOnUsd: 0, ifOnPassThroughUsd: 0 }
    expect(sessions.map(({ session, cost }) => [session, cost])).toEqual([
      ['observed', expect.objectContaining({ usd: 0.021862, passThroughUsd: 0.021862, clientUsd: 0.021862, ...old })],
      ['packed', expect.objectContaining({ usd: 0.0147096, passThroughUsd: 0.0147096, clientUsd: 0.0147096, ...old })],
    ])
    const [row] = await store.read('results').statistics('default', {})
    expect(row?.figures).toMatchObject({ requests: 6, usd: 0.0365716, clientUsd: 0.0365716, observedUsd: 0 })
    const [newest] = await store.read('receipts').list('default', { limit: 1 })
    expect(newest?.result?.cost).not.toHaveProperty('clientUsd')
    const cost = { inputTokens: 1, passThroughTokens: 1, usd: 0.1, passThroughUsd: 0.2, clientUsd: 0.5 }
    const now = { scope: { tenant: 'default', session: 'packed' }, nowMs: Date.UTC(2026, 10, 27) }
    const head = { requestId: 'new', packId: 'p', dialect: 'anthropic-messages', mode: 'on' } as const
    const result = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 1, cost }
    await store.commit({
      ...now,
      writes: [
        { table: 'receipts', receipt: { ...head, manifest } },
        { table: 'results', of: { requestId: 'new', result } },
      ],
    })
    const [packed] = await store.read('results').sessions('default', { limit: 1, session: 'packed' })
    expect(packed?.cost).toMatchObject({ requests: 4, usd: 0.1147096, passThroughUsd: 0.2147096, clientUsd: 0.5147096 })
    await store.close()
  })

  it('counts what stands in a database from before requests were counted', async () => {
    const path = join(folder, 'uncounted.db')
    const db = new DatabaseSync(path)
    db.exec(`${migrations.slice(0, 4).join(';')}; PRAGMA user_version = 4`)
    db.exec(`INSERT INTO sessions (id, tenant, name, lane, version, used_ms) VALUES (1, 'acme', 's1', '', 4, 9)`)
    const insert = db.prepare(`INSERT INTO receipts
      (sequence, tenant, session_id, request_id, pack_id, created_ms, head, manifest) VALUES (?, 'acme', 1, ?, 'p', ?, ?, ?)`)
    const put = db.prepare('INSERT INTO results (sequence, result) VALUES (?, ?)')
    const head = JSON.stringify({ dialect: 'openai-chat', mode: 'on', model: 'gpt-5', outcome: 'ok' })
    const hourMs = 3_600_000
    for (const [index, status] of [200, 200, 503].entries()) {
      insert.run(index + 1, `r${index}`, index * hourMs, head, '{"policyId":"careful","decisions":[],"sections":[]}')
      const usage = { inputTokens: 10, outputTokens: 1 }
      put.run(index + 1, JSON.stringify({ status, usage, rehydrations: 0, upstreamMs: 1, overheadMs: 2 }))
    }
    insert.run(4, 'r3', 3 * hourMs, head, '{"policyId":"careful"}')
    db.close()

    const store = sqliteStore({ path })
    const rows = await store.read('results').statistics('acme', { by: ['hour', 'model', 'policy'] })
    expect(
      rows.map(({ startMs, figures: { requests, errors, inputTokens } }) => [startMs, requests, errors, inputTokens]),
    ).toEqual([
      [0, 1, 0, 10],
      [hourMs, 1, 0, 10],
      [2 * hourMs, 1, 1, 10],
    ])
    expect(rows[0]).toMatchObject({ model: 'gpt-5', policy: 'careful' })
    expect(
      (await store.read('receipts').list('acme', { limit: 9, policy: 'careful', failed: true })).map(
        ({ requestId }) => requestId,
      ),
    ).toEqual(['r2'])
    const result = { status: 200, rehydrations: 0, upstreamMs: 1, overheadMs: 2 }
    for (const requestId of ['r0', 'r3'])
      await store.commit({ scope, nowMs: 1, writes: [{ table: 'results', of: { requestId, result } }] })
    expect((await store.read('results').statistics('acme', {}))[0]?.figures.requests).toBe(4)
    await store.close()
  })

  it('keeps a text once, however many sessions and handles use it, and lets go of it with the last', async () => {
    const path = join(folder, 'once.db')
    const store = sqliteStore({ path })
    const text = 'a long observation '.repeat(1000)
    for (const session of ['s1', 's2', 's3']) {
      const originals = [
        { handle: 'h1', text },
        { handle: 'h2', text },
      ]
      await store.commit({ scope: { tenant: 'acme', session }, nowMs: 1, writes: [{ table: 'originals', originals }] })
    }
    expect(rowsIn(path, 'texts')).toBe(1)
    await store.prune(1000, { sessionIdleMs: 10, receiptAgeMs: 10, maxReceipts: 10 })
    await store.close()
    for (const table of ['texts', 'session_texts', 'handles', 'sessions']) expect(rowsIn(path, table)).toBe(0)
  })

  it('a session of n requests costs n entries, not n squared', async () => {
    const path = join(folder, 'linear.db')
    const store = sqliteStore({ path })
    for (let turn = 1; turn <= 50; turn += 1)
      await store.commit({ scope, nowMs: turn, writes: [{ table: 'sessions', ledger: ledger(turn) }] })
    await store.close()
    expect(rowsIn(path, 'fragments')).toBe(50)
  })

  it('reads while another process holds the lock: only a search that has to index waits for it', async () => {
    const path = join(folder, 'held.db')
    const store = sqliteStore({ path })
    const original = { handle: 'h', text: 'the heron', kind: 'tool-result' } as const
    await store.commit({ scope, nowMs: 1, writes: [{ table: 'originals', originals: [original] }] })
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    expect(await store.read('originals').get(scope, 'h')).toEqual(original)
    expect(await store.read('originals').all(scope)).toEqual([original])
    expect(await store.read('turns').list('acme', 's1', { limit: 1 })).toEqual([])
    other.exec('COMMIT')
    other.close()
    expect(await store.read('originals').search(scope, 'herons', { maxChars: 99 })).toEqual([original])
    await store.close()
  })

  it('keeps what bodies of a session have in common once, compact or not', async () => {
    for (const indent of [0, 2]) {
      const path = join(folder, `bodies-${indent}.db`)
      const store = sqliteStore({ path })
      const emptyBytes = statSync(path).size + statSync(`${path}-wal`).size
      const tools = [{ name: 'read', description: 'Reads a file. '.repeat(100) }]
      const messages = Array.from({ length: 60 }, (_, index) => ({ role: 'user', content: `${index} `.repeat(1000) }))
      for (let count = 1; count <= 60; count += 1) {
        const body = JSON.stringify({ messages: messages.slice(0, count), tools }, null, indent)
        const request = { body, overlay: [], breakpoints: [], tools: [] }
        const head = { requestId: `r${count}`, packId: 'p', dialect: 'openai-chat', mode: 'on' } as const
        await store.commit({
          scope,
          nowMs: count,
          writes: [{ table: 'receipts', receipt: { ...head, manifest, request } }],
        })
        expect((await store.read('receipts').get('acme', `r${count}`))?.request?.body).toBe(body)
      }
      await store.close()
      const last = JSON.stringify({ messages, tools }, null, indent)
      expect(statSync(path).size - emptyBytes).toBeLessThan(3 * last.length)
    }
  })

  it('refuses a file that is no database, a folder, and a database of a newer version', () => {
    const text = join(folder, 'text.db')
    writeFileSync(text, 'no database at all, but some text that is long enough to be read as one\n'.repeat(20))
    const newer = join(folder, 'newer.db')
    const db = new DatabaseSync(newer)
    db.exec('PRAGMA user_version = 99')
    db.close()
    for (const path of [text, folder, newer]) {
      expect(() => sqliteStore({ path })).toThrow(expect.objectContaining({ code: 'store-failed' }))
    }
  })

  it('refuses the database of another program and leaves it as it was', () => {
    const path = join(folder, 'foreign.db')
    const db = new DatabaseSync(path)
    db.exec('CREATE TABLE users (name TEXT)')
    db.close()
    const before = readFileSync(path)
    expect(() => sqliteStore({ path })).toThrow(expect.objectContaining({ code: 'store-failed' }))
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('is for its user alone: folder, file, and what stands beside it; what was open to others is closed, and told', async () => {
    const own = join(folder, 'own', 'deeper')
    const path = join(own, 'private.db')
    const told: (readonly string[])[] = []
    const onTightened = (paths: readonly string[]): void => void told.push(paths)
    const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)
    const store = sqliteStore({ path, onTightened })
    await store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions' }] })
    expect([join(folder, 'own'), own].map(modeOf)).toEqual(['700', '700'])
    const files = ['', '-wal', '-shm'].map((suffix) => path + suffix)
    expect(files.map(modeOf)).toEqual(['600', '600', '600'])
    expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe('*\n')
    expect(told).toEqual([])

    for (const file of files) chmodSync(file, 0o644)
    chmodSync(own, 0o755)
    const again = sqliteStore({ path, onTightened })
    expect([own, ...files].map(modeOf)).toEqual(['700', '600', '600', '600'])
    expect(told).toEqual([[own, ...files]])
    await again.close()
    await store.close()
  })

  it('leaves a folder as it is that holds other things, and a file of another program', async () => {
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o755)
    writeFileSync(join(shared, 'notes.txt'), 'mine')
    const store = sqliteStore({ path: join(shared, 'store.db') })
    await store.close()
    expect(statSync(shared).mode & 0o777).toBe(0o755)
    expect(existsSync(join(shared, '.gitignore'))).toBe(false)
    expect(statSync(join(shared, 'store.db')).mode & 0o777).toBe(0o600)
  })

  it('fails with its error type once it is closed', async () => {
    const store = sqliteStore({ path: join(folder, 'closed.db') })
    await store.close()
    const failure = expect.objectContaining({ code: 'store-failed' })
    await expect(store.read('sessions').get(scope)).rejects.toEqual(failure)
    await expect(store.commit({ scope, nowMs: 1, writes: [{ table: 'sessions' }] })).rejects.toEqual(failure)
    await expect(store.ping()).rejects.toEqual(failure)
    await expect(store.close()).resolves.toBeUndefined()
  })
})
