import { parseArgs } from 'node:util'
import { openSession } from '../src/sessions/index.ts'
import { markdownTable } from './markdown-table.ts'
import { tools } from './recorded-turns.ts'
import { textKinds } from './text-kinds.ts'
import type { TextKind } from './text-rows.ts'

/*
 * What packing costs by kind of text: the processor time that a request takes per MB of one tool result, in a conversation of which
 * nothing is known yet and in which the result is old enough to be folded. The user time of the whole process counts, with the
 * threads of its garbage collector; the median of three runs.
 *
 *   npm run -s bench -- kinds-of-text
 *   npm run -s bench -- kinds-of-text --sizes 1 --rounds 1 --only "TSV,two columns"
 */

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)
/** Milliseconds per MB. */
const target = 200
const laterSteps = 12

function step(id: string, content: string): readonly object[] {
  const call = { id, type: 'function', function: { name: 'bash', arguments: `{"command":"run ${id}"}` } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

function conversation(text: string): readonly object[] {
  const later = Array.from({ length: laterSteps }, (_, at) => step(`later${at}`, `done ${at}`))
  return [{ role: 'user', content: 'Look whether the total is right.' }, ...step('first', text), ...later.flat()]
}

/** User milliseconds per MB. */
async function packedMs(text: string): Promise<number> {
  const session = openSession({ policy: 'thrifty' })
  const messages = conversation(text)
  const before = process.cpuUsage()
  await session.pack({ model: 'gpt-5.1', tools, messages })
  return process.cpuUsage(before).user / 1000 / (text.length / 1e6)
}

/** Every round packs another text: what is remembered of one would make it cheap the second time. */
async function median(kind: TextKind, size: number): Promise<number> {
  const all: number[] = []
  while (all.length < rounds) all.push(await packedMs(withinLimits(kind.text(size + all.length * 1000))))
  return all.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

async function measure(kind: TextKind): Promise<Measured> {
  const ms: number[] = []
  for (const size of sizes) ms.push(await median(kind, size * 1e6))
  return { name: kind.name, ms }
}

/** A request with more lines is refused before anything is packed: very short lines are measured at less than the size. */
const mostLines = 450_000

function withinLimits(text: string): string {
  let end = -1
  for (let lines = 0; lines < mostLines; lines += 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text
  }
  return text.slice(0, end)
}

interface Measured {
  readonly name: string
  /** Per MB, one for each size. */
  readonly ms: readonly number[]
}

const only = values.only.split(',')
const chosen = textKinds.filter(({ name }) => only.some((part) => name.includes(part)))
for (const { text } of textKinds) await packedMs(text(20_000))
const measured: Measured[] = []
for (const kind of chosen) measured.push(await measure(kind))

const worst = ({ ms }: Measured): number => Math.max(...ms)
const rows = measured
  .toSorted((a, b) => worst(b) - worst(a))
  .map((one) => ({
    kind: one.name,
    ...Object.fromEntries(sizes.map((size, at) => [`ms per MB, ${size} MB`, (one.ms[at] ?? 0).toFixed(0)])),
    [`above ${target}`]: worst(one) > target ? 'yes' : '',
  }))
console.log(markdownTable(rows))
for (const [at, size] of sizes.entries()) {
  const above = (ms: number): number => measured.filter((one) => (one.ms[at] ?? 0) > ms).length
  console.log(
    `\n${size} MB: of ${measured.length} kinds ${above(target)} above ${target}, ${above(2 * target)} above ${2 * target}`,
  )
}
