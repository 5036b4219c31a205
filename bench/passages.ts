import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPglite } from '../servers/pglite.ts'
import { startPostgres } from '../servers/postgres.ts'
import { seededRandom } from '../src/core/index.ts'
import { sqlitePassages } from '../src/stores/index.ts'
import type { Passages } from '../src/stores/index.ts'
import { postgresPassages } from '../src/stores/remote/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How long the twenty nearest of a collection's vectors take, by size and by where they are compared. The engines take turns. The process
 * first reads the collection, which is counted for itself. PostgreSQL is Debian's, on loopback, without pgvector; pgvector runs in
 * PGlite, PostgreSQL in WebAssembly, which is slower than a server.
 *
 *   npm run -s bench -- passages
 */

const sizes = [1000, 10_000, 50_000]
const dimensions = 512
const perDocument = 500
const queries = 15

interface Engine {
  readonly name: string
  readonly passages: Passages
}

const random = seededRandom(7)
const vector = (): Float32Array => Float32Array.from({ length: dimensions }, () => random() - 0.5)

async function fill({ passages }: Engine, size: number): Promise<void> {
  const at = { tenant: 'acme', collection: `c${size}` }
  for (let from = 0; from < size; from += perDocument) {
    const given = Array.from({ length: Math.min(perDocument, size - from) }, (_, id) => ({
      id: `${id}`,
      text: `Passage ${from + id} says this.`,
      vector: vector(),
    }))
    await passages.put(at, `d${from}`, given)
  }
}

async function searchMs({ passages }: Engine, size: number): Promise<number> {
  const query = { vector: vector(), most: 20 }
  const began = performance.now()
  await passages.search({ tenant: 'acme', collection: `c${size}` }, query)
  return performance.now() - began
}

function quantile(times: readonly number[], share: number): number {
  const inOrder = times.toSorted((a, b) => a - b)
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-passages-'))
const [server, pglite] = [await startPostgres(), await startPglite()]
await pglite.useSchema('prehend')
const engines: readonly Engine[] = [
  { name: 'SQLite, in process', passages: sqlitePassages({ path: join(folder, 'passages.sqlite') }) },
  { name: 'PostgreSQL, in process', passages: await postgresPassages({ url: server.url, timeoutMs: 60_000 }) },
  {
    name: 'PGlite, pgvector',
    passages: await postgresPassages({ url: pglite.url, connections: 1, timeoutMs: 60_000 }),
  },
]
const rows: Record<string, string>[] = []
try {
  for (const size of sizes) {
    const times = new Map<string, number[]>()
    for (const engine of engines) await fill(engine, size)
    for (const engine of engines) times.set(engine.name, [await searchMs(engine, size)])
    for (let query = 0; query < queries; query += 1)
      for (const engine of engines) times.get(engine.name)?.push(await searchMs(engine, size))
    for (const { name } of engines) {
      const [first = 0, ...later] = times.get(name) ?? []
      rows.push({
        'vectors': String(size),
        'engine': name,
        'first search, ms': first.toFixed(0),
        'later p50': quantile(later, 0.5).toFixed(1),
        'later p95': quantile(later, 0.95).toFixed(1),
      })
    }
  }
} finally {
  for (const { passages } of engines) await passages.close()
  await server.stop()
  await pglite.stop()
  rmSync(folder, { recursive: true })
}
console.log(markdownTable(rows))
