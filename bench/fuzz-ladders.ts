import { argv } from 'node:process'
import type { Item, ItemKind, Rendition } from '../src/core/index.ts'
import { isPrehendError, rungs } from '../src/core/index.ts'
import {
  cleanText,
  contentKind,
  decodeColumns,
  decodeCsv,
  decodeMarkdown,
  detectFailure,
  encodeColumns,
  hasLinesInStrings,
  ladderFor,
  lineIndex,
  minifyJson,
  parseFold,
  readMarker,
  referRepeats,
  resolveReferences,
  resultLines,
  schemaAtLevel,
  selectLines,
  textLines,
} from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { handle, textMaker, words } from './fuzz-texts.ts'
import { chancesOf } from './seeded-random.ts'

/*
 * Feeds generated texts of every kind to the ladders: nothing throws, nothing grows, lossless forms decode, references
 * resolve, what hides something carries its handle, markers resolve to lines of the original, failures stay.
 *
 *   npm run -s bench -- fuzz-ladders 50000      or: node bench/fuzz-ladders.ts 50000 [seed]
 */

const runs = Number(argv[2] ?? 5000)
const seed = Number(argv[3] ?? 1)
const tokenizer = encodingTokenizer('o200k_base')
const count = (text: string): number => tokenizer.count(text)

const chances = chancesOf(seed)
const { random, upTo, pick } = chances
const anyText = textMaker(chances)

const kinds: readonly ItemKind[] = [
  'tool-result',
  'tool-result',
  'tool-result',
  'text',
  'tool-call',
  'tool-schema',
  'reasoning',
  'evidence',
  'memory',
  'instruction',
  'opaque',
]

function item(content: string): Item {
  const kind = pick(kinds)
  const role = pick(['user', 'assistant', 'tool', 'system'] as const)
  return {
    id: 'i',
    section: pick(['history', 'query', 'evidence', 'tools']),
    kind,
    role,
    text: content,
    toolName: pick(content === '' ? ['x'] : ['bash', 'grep', content.slice(0, 40)]),
    ...(random() < 0.1 ? { status: 'error' as const } : {}),
  }
}

class Broken extends Error {}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Broken(what)
}

function checkLadder(one: Item): void {
  const ladder = ladderFor(one, { count, handle, step: upTo(99), focus: new Set(words.slice(0, 4)) })
  must(ladder[0]?.rung === 'full' && ladder[0].text === one.text, 'full comes first')
  for (let at = 1; at < ladder.length; at++) {
    const rendition = ladder[at] as Rendition
    const before = ladder[at - 1] as Rendition
    must(rendition.tokens < before.tokens, `${rendition.rung} is not cheaper than ${before.rung}`)
    must(rendition.tokens === count(rendition.text), 'tokens are counted')
    must(rungs.indexOf(rendition.rung) >= rungs.indexOf(before.rung), 'rungs in order')
    must(rendition.handle === handle, 'handle on the rendition')
    must(rendition.fidelity > 0 && rendition.fidelity <= 1, 'fidelity')
    const hides = rendition.rung !== 'lossless' && one.kind !== 'tool-schema'
    must(!hides || rendition.text.includes(handle), `${rendition.rung} without its handle`)
    if (one.kind === 'tool-call' || one.kind === 'tool-schema') JSON.parse(rendition.text)
    if (one.kind === 'tool-result') checkResult(one, rendition)
  }
}

const unspaced = (text: string): string => text.replaceAll(/\s+/g, '')

/** Of a line of a record: its name stands in the header of the table, its value in a row. */
function wordsOfRecord(line: string): readonly string[] {
  const { name = '', value = line } = /^\s*"(?<name>(?:[^"\\]|\\.)*)":\s(?<value>.*)$/s.exec(line)?.groups ?? {}
  return [unspaced(name), unspaced(value.replace(/,$/, ''))]
}

function checkResult(one: Item, rendition: Rendition): void {
  const { lines } = textLines(one.text)
  const report = detectFailure(lines, contentKind(one.text, one.toolName), one.text)
  if (rendition.rung === 'lossless') {
    const minified = minifyJson(one.text)
    const same = [cleanText(one.text, contentKind(one.text, one.toolName)), minified].includes(rendition.text)
    const decoded = [decodeColumns, decodeCsv, decodeMarkdown].map((decode) => decode(rendition.text))
    must(same || decoded.includes(minified), 'lossless form decodes')
  }
  if (rendition.rung === 'trimmed') {
    const isTable = readMarker(rendition.text.split('\n', 1)[0] ?? '')?.form === 'table'
    const shown = isTable ? unspaced(rendition.text) : rendition.text
    for (const at of report.lines) {
      const said = isTable ? wordsOfRecord(lines[at] ?? '') : [lines[at] ?? '']
      must(
        said.every((part) => shown.includes(part)),
        `failure line hidden: ${lines[at]?.slice(0, 80)}`,
      )
    }
    for (const line of rendition.text.split('\n')) {
      const fold = parseFold(line)
      if (fold?.handle === handle && !one.text.includes(line))
        must(selectLines(one.text, `${fold.first}-${fold.last}`) !== undefined, 'marker resolves')
    }
  }
  if (rendition.rung === 'line' && (report.failed || one.status === 'error'))
    must(/ - error, /.test(rendition.text), 'failure hidden in one line')
  if (rendition.rung === 'pointer' && (report.failed || one.status === 'error'))
    must(/error/.test(rendition.text), 'failure hidden by pointer')
  if (rendition.rung === 'line' && report.stated > 0)
    must(/ - (?:error|ok, \d+ failures? reported), /.test(rendition.text), 'ok above failures')
  if (rendition.rung === 'pointer' && report.stated > 0)
    must(/error|failures reported/.test(rendition.text), 'failures hidden by pointer')
}

function checkForms(one: string): void {
  const encoded = encodeColumns(one)
  must(encoded === undefined || decodeColumns(encoded) === minifyJson(one), 'columns decode')
  decodeColumns(one)
  must(cleanText(one, contentKind(one)).length <= one.length, 'cleaning grows')
  for (const level of ['minify', 'truncate', 'aggressive'] as const) schemaAtLevel(one, level)
}

function checkReferences(texts: readonly string[]): void {
  let index = lineIndex()
  const shown = new Map<string, string>()
  texts.forEach((original, at) => {
    const referred = referRepeats({ text: original, index, count: memo, handle: '0123456789ab' })
    must(resolveReferences(referred, (key) => shown.get(key)) === original, 'references resolve')
    must(referred.references.length === 0 || count(referred.text) < count(original), 'references grow')
    must(!hasLinesInStrings(original) || hasLinesInStrings(referred.text), 'JSON stays JSON')
    shown.set(`k${at}`, referred.text)
    index = index.add({ key: `k${at}`, step: at + 1, call: false }, resultLines(referred.text).lines)
  })
}

/** A result as agents give it that wrap what a tool has printed in JSON. */
function asMember(result: string): string {
  return JSON.stringify([{ query: 'run "it"', result, success: true }])
}

const memo = memoCounter(tokenizer).count
const recent: string[] = []

function round(): void {
  const one = anyText()
  checkLadder(item(one))
  checkForms(one)
  recent.push(one)
  if (recent.length < 4) return
  const [a = '', b = ''] = recent
  const repeating = [...recent, `${a}\n${b}`, `head\n${a}`, b]
  checkReferences(repeating)
  checkReferences([...repeating.map(asMember), ...repeating])
  recent.length = 0
}

const started = performance.now()
let failed = 0
for (let run = 0; run < runs; run++) {
  try {
    round()
  } catch (error) {
    failed++
    const known = error instanceof Broken || isPrehendError(error)
    console.error(
      `run ${run}: ${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}`,
    )
    if (failed >= 10) break
  }
}
console.log(`${runs} inputs, ${failed} broken, ${((performance.now() - started) / 1000).toFixed(1)} s, seed ${seed}`)
process.exitCode = failed === 0 ? 0 : 1
