import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../servers/postgres.ts'
import { careful } from '../src/index.ts'
import type { Item, Ledger } from '../src/index.ts'
import { threadedSqliteStore } from '../src/stores/index.ts'
import type { Store } from '../src/stores/index.ts'
import { postgresStore } from '../src/stores/remote/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How long the commit of a request takes in each engine: its receipt, the ledger of its session, and an original of 8 KB. One session alone, and
 * 16 at once. The engines take turns, so that what else the machine does meets them alike. PostgreSQL is a server of its own on loopback.
 *
 *   npm run -s bench -- commits
 */

const rounds = 5
const requestsOfOne = 40
const requestsOfMany = 12
const many = 16

interface Engine {
  readonly name: string
  readonly store: Store
  readonly aloneMs: number[]
  readonly amongMs: number[]
}

let sessions = 0

function item(index: number, text: string): Item {
  return { id: `m${index}`, section: 'history', kind: 'text', role: 'user', text }
}

function ledger(turns: number): Ledger {
  const entries = Array.from({ length: turns }, (_, at) => ({
    key: `k${at}`,
    rung: 'full' as const,
    tokens: 20,
    originalTokens: 20,
  }))
  return {
    schema: 'prehend.ledger/2',
    layout: 'messages',
    epoch: 1,
    policyId: careful.id,
    entries,
    turns,
    lastRequestMs: turns * 1000,
    lastTokens: 10,
    lastOriginalTokens: 100,
    account: { passThrough: 5.5, actual: 4.25 },
    rehydrations: 0,
    regret: 0,
  }
}

/** What is recorded of a request that shows all of its items. */
function receipt(requestId: string, items: readonly Item[]) {
  const decisions = items.map(({ id, section }) => ({
    itemId: id,
    section,
    contentHash: id,
    rung: 'full' as const,
    reason: 'fits' as const,
    originalTokens: 10,
    tokens: 10,
  }))
  return {
    requestId,
    packId: requestId,
    dialect: 'openai-chat' as const,
    mode: 'on' as const,
    model: 'gpt-5',
    manifest: {
      schema: 'prehend.manifest/1' as const,
      packHash: '',
      inputHash: '',
      policyId: careful.id,
      policyVersion: careful.version,
      tokenizerId: '',
      layout: 'messages' as const,
      outcome: 'ok' as const,
      windowTokens: 0,
      reserveTokens: 0,
      overheadTokens: 0,
      originalTokens: 0,
      packTokens: 0,
      utilisation: 0,
      signals: {},
      sections: [],
      decisions,
      truncations: [],
    },
    input: { items, budget: { windowTokens: 100_000 }, policy: careful, layout: 'messages' as const },
  }
}

/** A session of so many requests; gives how long each commit took. */
async function session(store: Store, requests: number): Promise<readonly number[]> {
  sessions += 1
  const name = `s${sessions}`
  const items = Array.from({ length: requests }, (_, at) => item(at, `${name} ${at} says this. `.repeat(100)))
  const times: number[] = []
  for (let request = 1; request <= requests; request += 1) {
    const id = `${name}-${request}`
    const began = performance.now()
    await store.commit({
      scope: { tenant: 'acme', session: name },
      nowMs: request,
      expectVersion: request - 1,
      writes: [
        { table: 'receipts', receipt: receipt(id, items.slice(0, request)) },
        { table: 'sessions', ledger: ledger(request) },
        { table: 'originals', originals: [{ handle: id, text: `${id} was read. `.repeat(500) }] },
      ],
    })
    times.push(performance.now() - began)
  }
  return times
}

function quantile(times: readonly number[], share: number): string {
  const inOrder = times.toSorted((a, b) => a - b)
  return (inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0).toFixed(2)
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-commits-'))
const server = await startPostgres()
const engine = (name: string, store: Store): Engine => ({ name, store, aloneMs: [], amongMs: [] })
const engines = [
  engine('SQLite', await threadedSqliteStore({ path: join(folder, 'process.db') })),
  engine(
    'SQLite, durable to the disk',
    await threadedSqliteStore({ path: join(folder, 'power.db'), durability: 'power' }),
  ),
  engine('PostgreSQL', await postgresStore({ url: server.url })),
]
try {
  for (const { store } of engines) await session(store, requestsOfMany)
  for (let round = 0; round < rounds; round += 1)
    for (const { store, aloneMs, amongMs } of engines) {
      aloneMs.push(...(await session(store, requestsOfOne)))
      const together = Array.from({ length: many }, () => session(store, requestsOfMany))
      amongMs.push(...(await Promise.all(together)).flat())
    }
} finally {
  for (const { store } of engines) await store.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}
console.log(
  markdownTable(
    engines.map(({ name, aloneMs, amongMs }) => ({
      'engine': name,
      'one session, p50 ms': quantile(aloneMs, 0.5),
      'p95 ms': quantile(aloneMs, 0.95),
      [`${many} at once, p50 ms`]: quantile(amongMs, 0.5),
      'their p95 ms': quantile(amongMs, 0.95),
    })),
  ),
)
