import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { get_encoding } from 'tiktoken'
import { type EncodingId, encodingTokenizer, memoCounter, tokenizerFor } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { records, tokenCorpora } from './token-corpora.ts'

type Count = (text: string) => number

const require = createRequire(import.meta.url)
const ROUNDS = 9
const KINDS = [
  'prose: meetings',
  'code: TypeScript',
  'code: Python',
  'tool output',
  'JSON: schemas',
  'JSON: pretty',
  'CJK',
]

/** Ours, the reference and the fastest peer, which take turns in every round. */
function contenders(id: 'o200k_base' | 'cl100k_base'): Record<string, Count> {
  const reference = get_encoding(id)
  const peer = require(`gpt-tokenizer/encoding/${id}`) as { countTokens(text: string, options: object): number }
  const options = { disallowedSpecial: new Set<string>() }
  encodingTokenizer(id).count('')
  return {
    'ours': encodingTokenizer(id).count,
    'tiktoken': (text) => reference.encode(text, [], []).length,
    'gpt-tokenizer': (text) => peer.countTokens(text, options),
  }
}

function interleaved(counts: Record<string, Count>, texts: readonly string[], rounds: number): Map<string, number[]> {
  const times = new Map(Object.keys(counts).map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, count] of Object.entries(counts)) {
      const start = performance.now()
      for (const text of texts) count(text)
      times.get(name)?.push(performance.now() - start)
    }
  }
  return times
}

function throughputRow(kind: string, chunks: readonly string[], counts: Record<string, Count>): Record<string, string> {
  const megabytes = chunks.reduce((total, chunk) => total + Buffer.byteLength(chunk), 0) / 1e6
  const times = interleaved(counts, chunks, ROUNDS)
  const cells = [...times].map(([name, milliseconds]) => {
    const rates = milliseconds.slice(2).map((one) => (1000 * megabytes) / one)
    return [name, `${median(rates).toFixed(1)} (${Math.min(...rates).toFixed(1)}-${Math.max(...rates).toFixed(1)})`]
  })
  return {
    kind,
    'MB': megabytes.toFixed(2),
    ...Object.fromEntries(cells),
    'first pass, ours': firstPass(times, megabytes),
  }
}

function firstPass(times: Map<string, number[]>, megabytes: number): string {
  return ((1000 * megabytes) / (times.get('ours')?.[0] ?? Number.NaN)).toFixed(1)
}

/** Every round has a text of its own, or a contender that remembers pieces would only look the last one up. */
function pathologicalRow(
  name: string,
  texts: readonly string[],
  counts: Record<string, Count>,
): Record<string, string> {
  const tokens = new Set(Object.values(counts).map((count) => count(texts[0] ?? '')))
  const times = texts.slice(1).map((text) => interleaved(counts, [text], 1))
  const cells = Object.keys(counts).map((contender) => {
    const milliseconds = times.flatMap((one) => one.get(contender) ?? [])
    return [contender, `${median(milliseconds).toFixed(1)} ms`]
  })
  return { text: name, tokens: [...tokens].join(' / '), ...Object.fromEntries(cells) }
}

function pathological(): Record<string, readonly string[]> {
  const letters = Array.from({ length: 50_000 }, (_, index) =>
    String.fromCharCode(97 + ((index * index * 31 + index * 7) % 26)),
  ).join('')
  const variants = (make: (round: number) => string) => Array.from({ length: 4 }, (_, round) => make(round))
  return {
    '50,000 spaces': variants((round) => ' '.repeat(50_000 + round)),
    '50,000 mixed letters': variants((round) => letters.slice(0, 50_000 - round)),
    '20,000 times a': variants((round) => 'a'.repeat(20_000 + round)),
    '10,000 ideographs': variants((round) => '漢字'.repeat(5000 + round)),
  }
}

/** 2,000 items of 239,000 tokens or so, asked for again and again. */
function memoRows(): Record<string, string>[] {
  const items = records('swe-traces/lite_test_a.jsonl')
    .flatMap((row) => row['messages'] as { readonly content?: string }[])
    .map((message) => (message.content ?? '').slice(0, 480))
    .filter((text) => text.length > 300)
    .slice(0, 2000)
  const memo = memoCounter(tokenizerFor('gpt-5'))
  const tokens = items.reduce((total, item) => total + memo.count(item), 0)
  const row = (name: string, texts: readonly string[]) => {
    const times = Array.from({ length: 21 }, () => {
      const copies = name === 'fresh strings' ? texts.map((text) => Buffer.from(text).toString()) : texts
      const start = performance.now()
      for (const text of copies) memo.count(text)
      return ((performance.now() - start) * 1000) / texts.length
    })
    return {
      'warm look-ups': name,
      'items': String(items.length),
      'tokens': String(tokens),
      'ms per 1,000': spread(times),
    }
  }
  return [row('same strings', items), row('fresh strings', items)]
}

function spread(values: readonly number[]): string {
  return `${median(values).toFixed(3)} (${Math.min(...values).toFixed(3)}-${Math.max(...values).toFixed(3)})`
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** Each encoding is loaded in a process of its own. */
function loadRow(id: EncodingId): Record<string, string> {
  const runs = Array.from({ length: 5 }, () => {
    const child = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'load', id], {
      encoding: 'utf8',
    })
    return child.stdout.trim().split(' ').map(Number)
  })
  const column = (index: number) => runs.map((run) => run[index] ?? Number.NaN)
  return { 'encoding': id, 'load, ms': spread(column(0)), 'RSS, MB': spread(column(1)) }
}

function reportLoad(id: EncodingId): void {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const start = performance.now()
  encodingTokenizer(id).count('once')
  const milliseconds = performance.now() - start
  globalThis.gc?.()
  process.stdout.write(`${milliseconds} ${(process.memoryUsage().rss - before) / 1e6}\n`)
}

function reportAll(): void {
  const say = (text: string) => process.stdout.write(`${text}\n\n`)
  const corpora = tokenCorpora().filter(({ name }) => KINDS.includes(name))
  for (const id of ['o200k_base', 'cl100k_base'] as const) {
    const counts = contenders(id)
    say(`${id}: MB/s, median of ${ROUNDS - 2} rounds after two (range)`)
    say(markdownTable(corpora.map(({ name, chunks }) => throughputRow(name, chunks, counts))))
    say(markdownTable(Object.entries(pathological()).map(([name, text]) => pathologicalRow(name, text, counts))))
  }
  say('claude: MB/s')
  const claude = { ours: encodingTokenizer('claude').count }
  claude.ours('')
  say(markdownTable(corpora.map(({ name, chunks }) => throughputRow(name, chunks, claude))))
  say(markdownTable(memoRows()))
  say(markdownTable((['o200k_base', 'cl100k_base', 'claude'] as const).map(loadRow)))
}

const [task, id] = process.argv.slice(2)
if (task === 'load') reportLoad(id as EncodingId)
else reportAll()
