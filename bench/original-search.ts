import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadedSqliteStore } from '../src/stores/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * What it takes to find what a session left out by words, and how long another session waits for the store meanwhile: all originals
 * read and handed over, as a baseline, and the full-text search of the store, the first time and later.
 *
 *   npm run -s bench -- original-search
 */

const originals = 2000
const lines = 140
const words = 'retry backoff'

function textOf(number: number): string {
  const said = Array.from(
    { length: lines },
    (_, at) => `file${number} line ${at}: value ${(at * 7919 * (number + 1)) % 1009} of the table of all`,
  )
  if (number % 500 === 250) said[70] = 'the retry doubles its backoff up to thirty seconds'
  return said.join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-search-'))
const store = await threadedSqliteStore({ path: join(folder, 'store.db') })
const scope = { tenant: 'acme', session: 'long' }
const other = { tenant: 'acme', session: 'other' }
await store.commit({ scope: other, nowMs: 1, writes: [{ table: 'sessions', offeredTools: [] }] })
for (let first = 0; first < originals; first += 50) {
  const some = Array.from({ length: 50 }, (_, at) => ({
    handle: String(200_000_000_000 + first + at),
    text: textOf(first + at),
    kind: 'tool-result' as const,
  }))
  await store.commit({ scope, nowMs: first, writes: [{ table: 'originals', originals: some }] })
}

/** How long some work took, in milliseconds, and the longest that reads of another session took meanwhile. */
async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; waitMs: number; result: Result }> {
  const over = new AbortController()
  let waitMs = 0
  const beside = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      await store.read('sessions').get(other)
      waitMs = Math.max(waitMs, performance.now() - began)
    }
  })()
  const began = performance.now()
  const result = await work()
  const ms = performance.now() - began
  over.abort()
  await beside
  return { ms, waitMs, result }
}

const search = () => store.read('originals').search(scope, words, { maxChars: 1_000_000 })
const all = await timed(() => store.read('originals').all(scope))
const first = await timed(search)
const later = await timed(search)
const row = (name: string, { ms, waitMs, result }: typeof all) => ({
  '2,000 originals, 11 MB': name,
  'time': `${ms.toFixed(0)} ms`,
  'longest wait of another session': `${waitMs.toFixed(0)} ms`,
  'originals handed over': String(result.length),
})
const rows = [
  row('all of them read', all),
  row('first search, which indexes them', first),
  row('search after that', later),
]
process.stdout.write(`${markdownTable(rows)}\n`)
await store.close()
rmSync(folder, { recursive: true })
