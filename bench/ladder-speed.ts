import {
  cleanText,
  contentKind,
  decodeColumns,
  detectFailure,
  distil,
  encodeColumns,
  ladderFor,
  minifyJson,
  nearDuplicates,
  propositionsOf,
  shortenWords,
  textLines,
} from '../src/ladders/index.ts'
import type { Item } from '../src/core/index.ts'
import { markdownTable } from './markdown-table.ts'
import { seededRandom } from '../src/core/index.ts'

/*
 * How fast each way of showing an item is, and whether it stays so: megabytes per second on texts of some size, and what twice the
 * length takes of the time of once. Times are those that the thread has computed, of the quietest of some blocks of runs, since others may share the machine.
 *
 *   npm run -s bench -- ladder-speed
 */

const length = 150_000
const blocks = 5
const blockMs = 60
const random = seededRandom(3)
const pick = (from: string): string => from.split(' ')[Math.floor(random() * from.split(' ').length)] ?? ''
const noun = (): string => pick('session request invoice worker cache ledger customer token queue index replica answer')
const verb = (): string => pick('returned rejected stored retried merged sorted dropped logged expired moved')

function sentence(): string {
  return `The ${noun()} ${verb()} ${Math.floor(random() * 9_000)} of the ${noun()}s that a ${noun()} had ${verb()} before, and it ${verb()} them again.`
}

function grown(line: () => string, size: number): readonly string[] {
  const lines: string[] = []
  for (let total = 0; total < size; total += lines.at(-1)?.length ?? 1) lines.push(line())
  return lines
}

const prose = (size: number): string => grown(() => `${sentence()} ${sentence()} ${sentence()}\n`, size).join('\n')
const record = (): object => ({
  id: Math.floor(random() * 1e6),
  name: noun(),
  state: verb(),
  note: `${noun()} ${verb()}`,
})
const json = (size: number): string => `[${grown(() => JSON.stringify(record(), undefined, 2), size).join(',\n')}]`
const log = (size: number): string =>
  grown(
    () => `2026-11-23T10:${Math.floor(random() * 60)}:00Z INFO ${noun()} ${verb()} in ${Math.floor(random() * 900)} ms`,
    size,
  ).join('\n')

/** What is made of a text; what it gives is of no interest. */
interface Way {
  readonly name: string
  readonly text: (size: number) => string
  readonly make: (text: string) => unknown
}

const counted = { count: (text: string) => Math.ceil(text.length / 4), handle: '482915037114', step: 1 }
const shown = (kind: Item['kind']) => (text: string) =>
  ladderFor({ id: 'i', section: 'history', kind, text, toolName: 'bash' }, counted)

const ways: readonly Way[] = [
  { name: 'kind of content, logs', text: log, make: (text) => contentKind(text) },
  { name: 'lines', text: log, make: (text) => textLines(text) },
  { name: 'terminal output, cleaned', text: log, make: (text) => cleanText(text, 'log') },
  { name: 'JSON without white space', text: json, make: minifyJson },
  { name: 'JSON in columns', text: json, make: encodeColumns },
  { name: 'columns, read again', text: (size) => encodeColumns(json(size)) ?? '', make: decodeColumns },
  { name: 'failures, logs', text: log, make: (text) => detectFailure(text.split('\n'), 'log', text) },
  { name: 'result of a tool, logs', text: log, make: shown('tool-result') },
  { name: 'result of a tool, JSON', text: json, make: shown('tool-result') },
  { name: 'passage, prose', text: prose, make: shown('evidence') },
  { name: 'propositions', text: prose, make: propositionsOf },
  { name: 'words', text: prose, make: (text) => shortenWords(text, { keepRatio: 0.5 }) },
  { name: 'sentences', text: prose, make: (text) => distil(text, { keepRatio: 0.5, ...counted }) },
  {
    name: 'near duplicates, pages of 2,000 characters',
    text: prose,
    make: (text) => nearDuplicates(text.match(/[^]{1,2000}/g) ?? [], { similarity: 0.9, compares: () => true }),
  },
]

/** Milliseconds that one takes, of the quietest block of runs: a thread's time is told in steps of some milliseconds. */
function least(make: (text: string) => unknown, text: string): number {
  let best = Infinity
  for (let block = 0; block < blocks; block += 1) {
    const started = process.threadCpuUsage()
    let spent = 0
    let runs = 0
    for (; spent < blockMs; runs += 1) {
      make(text)
      const { user, system } = process.threadCpuUsage(started)
      spent = (user + system) / 1000
    }
    best = Math.min(best, spent / runs)
  }
  return best
}

const rows = ways.map(({ name, text, make }) => {
  const [once, twice] = [text(length), text(2 * length)]
  least(make, once)
  const [ms, longer] = [least(make, once), least(make, twice)]
  return {
    'what': name,
    'MB/s': (once.length / 1000 / ms).toFixed(1),
    'twice the length': ((longer / ms) * ((2 * once.length) / twice.length)).toFixed(2),
  }
})
console.log(markdownTable(rows))
