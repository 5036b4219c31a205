import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import { rewritten } from '../src/gateway/index.ts'
import type { Layer, Rewrite } from '../src/gateway/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  needleOf,
  post,
  testGateway,
} from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * What a layer that rewrites items adds to a large request. A conversation grows to 880 KB in 20 requests: through a gateway without a
 * layer, through one whose layer finds nothing to rewrite, and through one whose layer rewrites one item. The gateways take turns in
 * rounds, since others may share the machine; the first round only warms the process. A figure is the median of the last 12
 * `x-prehend-overhead-ms` of a gateway.
 *
 *   npm run -s bench -- layers [--rounds 4]
 */

const { values: options } = parseArgs({ args: argv.slice(2), options: { rounds: { type: 'string', default: '4' } } })

const smallest = 20
const requests = 20
const counted = 12

interface Kind {
  readonly name: string
  /** What is masked in the items; no layer where absent. */
  readonly word?: string
}

const kinds: readonly Kind[] = [
  { name: 'none' },
  { name: 'rewrites nothing', word: 'words that no item has' },
  { name: 'rewrites one item', word: needleOf(3) },
]

function maskLayer(word: string): Layer {
  const rewrite: Rewrite = (item) =>
    item.text.includes(word) ? { ...item, text: item.text.replace(word, '[masked]') } : item
  return { name: 'mask', failure: 'closed', handle: (exchange, next) => next(rewritten(exchange, rewrite)) }
}

async function overheadMs({ word }: Kind): Promise<number> {
  const gateway = await testGateway({ host: { layers: word === undefined ? [] : [maskLayer(word)] } })
  const took: number[] = []
  for (let results = smallest; results < smallest + requests; results += 1) {
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(results))
    await response.arrayBuffer()
    took.push(Number(response.headers.get('x-prehend-overhead-ms')))
    await gateway.clock.advance(2000)
  }
  await closeTestGateways()
  return median(took.slice(-counted))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}

const rounds = kinds.map((kind) => ({ name: kind.name, kind, took: [] as number[] }))
for (let round = 0; round <= Number(options.rounds); round += 1) {
  for (const { kind, took } of rounds) {
    const ms = await overheadMs(kind)
    if (round > 0) took.push(ms)
  }
}
const base = median(rounds[0]?.took ?? [])
const rows = rounds.map(({ name, took }) => ({
  'layer': name,
  'rounds, ms': took.map((ms) => ms.toFixed(1)).join(' '),
  'median, ms': median(took).toFixed(1),
  'of no layer': `${((median(took) / base) * 100).toFixed(0)}%`,
}))
console.log(markdownTable(rows))
