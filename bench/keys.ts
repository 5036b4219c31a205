import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { testKeyRing } from '../src/gateway/on-the-wire/key-ring.fixture.ts'
import type { TestKeyRing } from '../src/gateway/on-the-wire/key-ring.fixture.ts'
import { sqliteStore } from '../src/stores/index.ts'
import type { Store } from '../src/stores/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * What it costs to find out who asks: by a token of the configuration, by a virtual key of a store of 1,000 keys that is known, and by one
 * that has to be read first. The ways take turns in batches, since others may share the machine; the first round only warms the process. A
 * figure is the median over batches of the mean of a batch, with the quickest and the slowest batch.
 *
 *   npm run -s bench -- keys [--rounds 40]
 */

const { values: options } = parseArgs({ args: argv.slice(2), options: { rounds: { type: 'string', default: '40' } } })
const rounds = Number(options.rounds)
const keyCount = 1000
const inBatch = 1000

const folder = mkdtempSync(join(tmpdir(), 'prehend-bench-keys-'))
const store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
let reads = 0
const counted: Store = {
  ...store,
  read(name) {
    if (name === 'keys') reads += 1
    return store.read(name)
  },
}
let nowMs = Date.now()
const clock = () => nowMs
const ring = await testKeyRing({ store: counted, clock, keys: keyCount })
const tokensOf = (count: number) => Array.from({ length: count }, (_, number) => `token-number-${number}`)
const bearer = (secret: string) => ({ 'authorization': `Bearer ${secret}`, 'user-agent': 'bench/1' })
const byTokens = (count: number) => ({
  authenticate: ring.byTokens(tokensOf(count)),
  headers: tokensOf(count).map(bearer),
})
const byKeys = { authenticate: ring.byKeys, headers: ring.secrets.map(bearer) }

interface Way {
  readonly name: string
  readonly authenticate: TestKeyRing['byKeys']
  readonly headers: readonly ReturnType<typeof bearer>[]
  readonly isRead?: true
}

const ways: readonly Way[] = [
  { name: 'token, one of 3 of the configuration', ...byTokens(3) },
  { name: 'token, one of 1,000 of the configuration', ...byTokens(keyCount) },
  { name: 'key, one of 1,000, known', ...byKeys },
  { name: 'key, one of 1,000, read first', ...byKeys, isRead: true },
]

async function batch({ authenticate, headers, isRead }: Way): Promise<{ readonly us: number; readonly reads: number }> {
  if (isRead) nowMs += 10_000
  else for (const each of headers) await authenticate(each)
  const before = reads
  const started = performance.now()
  for (let asked = 0; asked < inBatch; asked += 1) {
    const found = authenticate(headers[asked % headers.length] as (typeof headers)[number])
    if (found instanceof Promise) await found
  }
  return { us: ((performance.now() - started) * 1000) / inBatch, reads: reads - before }
}

const took = new Map<Way, { readonly us: number; readonly reads: number }[]>(ways.map((way) => [way, []]))
for (let round = 0; round <= rounds; round += 1)
  for (const way of ways) {
    const measured = await batch(way)
    if (round > 0) took.get(way)?.push(measured)
  }

const rows = [...took].map(([{ name }, batches]) => {
  const sorted = batches.map(({ us }) => us).toSorted((one, other) => one - other)
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)
  const read = Math.max(...batches.map((each) => each.reads))
  return { 'who asks': name, 'µs': at(0.5), 'range': `${at(0)}-${at(1)}`, 'store reads': String(read / inBatch) }
})
stdout.write(`${markdownTable(rows)}\n`)
ring.close()
await store.close()
rmSync(folder, { recursive: true })
