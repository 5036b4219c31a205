import { argv } from 'node:process'
import type { Item } from '../src/core/index.ts'
import {
  contentKind,
  detectFailure,
  ladderFor,
  lineIndex,
  referRepeats,
  resolveReferences,
  resultLines,
} from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { type Trace, needlesOf, observationsOf, traces } from './ladder-corpora.ts'

/*
 * What the ladders make of recorded tool results: tokens at every rung by kind of content, how many of the lines that
 * later steps needed are still there, how well failures are told, what references save.
 *
 *   node bench/ladders.ts [show N SEED FILE]
 */

const files = [
  'swe-traces/lite_test_a',
  'swe-traces/deepseek_chat_dev',
  'coding-sessions/pi_sessions',
  'mcp-traces/traces.dev',
  'tau-bench/airline.dev',
]
const { count } = memoCounter(encodingTokenizer('o200k_base'))
const handle = '482915037114'

function resultItem(text: string, toolName: string | undefined): Item {
  return { id: 'i', section: 'history', kind: 'tool-result', text, ...(toolName === undefined ? {} : { toolName }) }
}

interface KindRow {
  results: number
  full: number
  lossless: number
  trimmed: number
  strict: number
  line: number
  needles: number
  keptTrimmed: number
  keptStrict: number
}

function emptyRow(): KindRow {
  return { results: 0, full: 0, lossless: 0, trimmed: 0, strict: 0, line: 0, needles: 0, keptTrimmed: 0, keptStrict: 0 }
}

/** Tokens by rung and kind; needle lines among results that are long enough to be trimmed. */
function rungTable(file: string): Map<string, KindRow> {
  const rows = new Map<string, KindRow>()
  const needles = needlesOf(file)
  for (const trace of traces(file)) {
    const needed = needles.get(trace.id) ?? new Map<number, ReadonlySet<string>>()
    for (const { text, toolName, at, step } of observationsOf(trace)) {
      const kind = contentKind(text, toolName)
      const ladder = ladderFor(resultItem(text, toolName), { count, handle, step })
      const full = ladder[0]?.tokens ?? 0
      const trimmed = ladder.filter(({ rung }) => rung === 'trimmed')
      const cheapest = (rung: string): number => ladder.findLast((rendition) => rendition.rung === rung)?.tokens ?? full
      for (const key of [kind, 'ALL']) {
        const row = rows.get(key) ?? emptyRow()
        rows.set(key, row)
        row.results++
        row.full += full
        row.lossless += cheapest('lossless')
        row.trimmed += trimmed[0]?.tokens ?? full
        row.strict += trimmed.at(-1)?.tokens ?? full
        row.line += cheapest('line')
        if (trimmed.length === 0) continue
        for (const needle of needed.get(at) ?? []) {
          row.needles++
          if (hasLineWith(needle, text, trimmed[0]?.text ?? '')) row.keptTrimmed++
          if (hasLineWith(needle, text, trimmed.at(-1)?.text ?? '')) row.keptStrict++
        }
      }
    }
  }
  return rows
}

/** Whether a line of the original with the needle still stands; of overlong lines a piece is enough. */
function hasLineWith(needle: string, original: string, shown: string): boolean {
  const lines = new Set(shown.split('\n'))
  return original
    .split('\n')
    .some((line) => line.includes(needle) && (line.length > 500 ? shown.includes(needle) : lines.has(line)))
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'n/a' : (part / whole).toFixed(3)
}

function printRungs(file: string): void {
  const table = [...rungTable(file)].map(([kind, row]) => [
    kind,
    {
      'results': row.results,
      'tokens': row.full,
      'lossless': share(row.lossless, row.full),
      'trimmed': share(row.trimmed, row.full),
      'strict': share(row.strict, row.full),
      'line': share(row.line, row.full),
      'needles': row.needles,
      'line kept, trimmed': share(row.keptTrimmed, row.needles),
      'line kept, strict': share(row.keptStrict, row.needles),
    },
  ])
  console.log(`\n${file}: share of tokens at each rung; needle lines kept where a result is trimmed`)
  console.table(Object.fromEntries(table))
}

/** What a harness puts around an output, taken away: the detector must then read the output itself. */
function bare(text: string): string {
  return text
    .replace(/^<returncode>-?\d+<\/returncode>\n/, '')
    .replace(/^<output>\n/, '')
    .replace(/<\/output>\s*$/, '')
}

function printFailures(file: string): void {
  for (const strip of [false, true]) {
    const cells = { truePositive: 0, falsePositive: 0, missed: 0, missedSilent: 0, trueNegative: 0 }
    for (const trace of traces(file)) {
      for (const { text, toolName, failed } of observationsOf(trace)) {
        if (failed === undefined) continue
        const read = strip ? bare(text) : text
        const told = detectFailure(read.split('\n'), contentKind(read, toolName)).failed
        if (told) cells[failed ? 'truePositive' : 'falsePositive']++
        else if (!failed) cells.trueNegative++
        else cells[read.trim() === '' ? 'missedSilent' : 'missed']++
      }
    }
    const precision = share(cells.truePositive, cells.truePositive + cells.falsePositive)
    const recall = share(cells.truePositive, cells.truePositive + cells.missed)
    console.log(
      `${file} failures${strip ? ', exit status taken away' : ''}: precision ${precision}, recall where there is output ${recall}`,
      cells,
    )
  }
}

function printReferences(file: string): void {
  let tokens = 0
  let saved = 0
  let references = 0
  let wrong = 0
  for (const trace of traces(file)) {
    let index = lineIndex()
    const shown = new Map<string, string>()
    for (const { text, step } of observationsOf(trace)) {
      const referred = referRepeats({ text, index, count, handle: '0123456789ab' })
      if (resolveReferences(referred, (key) => shown.get(key)) !== text) wrong++
      tokens += count(text)
      saved += count(text) - count(referred.text)
      references += referred.references.length
      shown.set(`k${step}`, referred.text)
      index = index.add({ key: `k${step}`, step, call: false }, resultLines(referred.text).lines)
    }
  }
  console.log(
    `${file} references: ${references}, saved share of result tokens ${share(saved, tokens)}, wrongly resolved ${wrong}`,
  )
}

/** Some renditions, to be read. */
function show(wanted: number, seed: number, file: string): void {
  const all = [...traces(file)]
    .flatMap((trace: Trace) => [...observationsOf(trace)])
    .filter(({ text }) => text.length > 1200)
  let state = seed
  for (let shown = 0; shown < wanted; shown++) {
    state = (state * 1103515245 + 12345) % 2147483648
    const { text, toolName, call, step } = all[Math.floor((state / 2147483648) * all.length)] ?? {
      text: '',
      toolName: 'none',
      call: '',
      step: 0,
    }
    console.log(`\n######## ${contentKind(text, toolName)} ${call?.slice(0, 200) ?? ''}`)
    for (const { rung, tokens, fidelity, text: words } of ladderFor(resultItem(text, toolName), {
      count,
      handle,
      step,
    })) {
      console.log(`---- ${rung}, ${tokens} tokens, fidelity ${fidelity.toFixed(2)}`)
      if (rung !== 'full') console.log(words.slice(0, 4000))
    }
  }
}

const [, , mode, wanted, seed, file] = argv
if (mode === 'show') {
  show(Number(wanted ?? 5), Number(seed ?? 1), file ?? 'swe-traces/lite_test_a')
} else {
  for (const name of files) printRungs(name)
  for (const name of files.slice(0, 4)) printFailures(name)
  for (const name of files) printReferences(name)
}
