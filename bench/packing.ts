import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { argv } from 'node:process'
import { encodingTokenizer } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { budgetTokens, packerNames, packingItems } from './packing-items.ts'
import type { PackerName, PackingOrder, PackingTimes } from './packing-items.ts'

/*
 * Packs 2,000 items into 100,000 tokens: Prehend (water-filling over sections, rungs, receipt and both hashes included)
 * beside @vscode/prompt-tsx (priorities) and LangChain's trimMessages (keeps the newest), in turns, each in a process of its own.
 * Items are plain data, which is looked at again with every pack, or frozen as the makers of items give them.
 * Cold: nothing remembered, only the vocabulary is loaded. Warm: the same items again. Appended: two more messages.
 *
 *   npm run -s bench -- packing      or, so many runs: node bench/packing.ts [RUNS]
 */

const runs = Number(argv[2] ?? 7)
const ours: ReadonlySet<PackerName> = new Set(['Prehend', 'Prehend, frozen items'])
/** A pack of the slowest takes seconds. */
const runsOf: Readonly<Record<PackerName, number>> = {
  'Prehend': runs,
  'Prehend, frozen items': runs,
  '@vscode/prompt-tsx': Math.min(runs, 5),
  'LangChain trimMessages, chars/4': Math.min(runs, 5),
  'LangChain trimMessages, exact counts remembered': 1,
}

async function asked(child: ChildProcess, order: PackingOrder): Promise<PackingTimes> {
  const answer = once(child, 'message')
  child.send(order)
  const [times] = (await answer) as [PackingTimes]
  return times
}

interface Series {
  readonly cold: number[]
  readonly warm: number[]
  readonly appended: number[]
  tokens: number
}

function figure(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string => digits(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  return values.length === 0 ? 'not run' : `${at(0.5)} (${at(0.05)}-${at(0.95)})`
}

function digits(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)
}

type Children = ReadonlyMap<PackerName, ChildProcess>

async function compare(count: number, children: Children, repeatsOf: (name: PackerName) => number): Promise<void> {
  const { count: tokensOf } = encodingTokenizer('o200k_base')
  const total = packingItems(count).reduce((sum, { text }) => sum + tokensOf(text), 0)
  const results = new Map(
    Array.from(children.keys(), (name): [PackerName, Series] => [
      name,
      { cold: [], warm: [], appended: [], tokens: 0 },
    ]),
  )
  for (let round = 0; round < runs; round += 1)
    for (const [name, child] of children) {
      const series = results.get(name)
      if (series === undefined || round >= runsOf[name]) continue
      const times = await asked(child, { items: count, repeats: repeatsOf(name) })
      series.cold.push(times.cold)
      series.warm.push(...times.warm)
      series.appended.push(...times.appended)
      series.tokens = times.tokens
    }
  console.log(`\n${count} items of ${total} tokens, into ${budgetTokens}; median (p5-p95) in ms\n`)
  const rows = Array.from(results, ([name, series]) => ({
    'packer': name,
    'cold': figure(series.cold),
    'warm': figure(series.warm),
    'one turn appended': figure(series.appended),
    'tokens kept': String(series.tokens),
  }))
  console.log(markdownTable(rows))
}

const children = new Map(
  packerNames.map((name): [PackerName, ChildProcess] => [
    name,
    fork(new URL('packing.child.ts', import.meta.url), [name]),
  ]),
)
try {
  for (const [name, child] of children) await asked(child, { items: 0, repeats: ours.has(name) ? 40 : 1 })
  await compare(2_000, children, (name) => (ours.has(name) ? 60 : runsOf[name] === 1 ? 1 : 3))
  await compare(8_000, new Map([...children].filter(([name]) => ours.has(name))), () => 30)
} finally {
  for (const child of children.values()) child.kill()
}
