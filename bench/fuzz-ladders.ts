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
  ladderFor,
  lineIndex,
  minifyJson,
  parseFold,
  readMarker,
  referRepeats,
  resolveReferences,
  schemaAtLevel,
  selectLines,
  textLines,
} from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { chancesOf } from './seeded-random.ts'

/*
 * Feeds generated texts of every kind to the ladders: nothing throws, nothing grows, lossless forms decode, references
 * resolve, what hides something carries its handle, markers resolve to lines of the original, failures stay.
 *
 *   npm run -s bench -- fuzz-ladders 50000      or: node bench/fuzz-ladders.ts 50000 [seed]
 */

const runs = Number(argv[2] ?? 5000)
const seed = Number(argv[3] ?? 1)
const handle = '482915037114'
const tokenizer = encodingTokenizer('o200k_base')
const count = (text: string): number => tokenizer.count(text)

const { random, upTo, pick } = chancesOf(seed)
const many = <T>(limit: number, make: () => T): T[] => Array.from({ length: upTo(limit) + 1 }, make)

const words = [
  'alpha',
  'true',
  'null',
  ']',
  '[(',
  '-1',
  'getUser',
  'src/main.ts',
  'user_id',
  'Error',
  'failed',
  'the',
  'is',
  '12',
  '0x7f3a',
  'naïve',
  '日本語',
  '🤖',
  '\ud83d',
  '\udc00',
  '\u2028',
  '\u0000',
  '\u001b[31m',
  'e\u0301',
  '"',
  '\\',
  '`',
  '<b>',
  ']]>',
  '\t',
  '   ',
]
const sentence = (): string => many(14, () => pick(words)).join(pick([' ', ' ', ',', '']))
const failures = [
  'Traceback (most recent call last):',
  'ValueError: nope',
  'FAILED tests/a.py::test_b',
  'src/a.ts(1,2): error TS2304: x',
  'npm ERR! code 1',
  'fatal: bad object',
  'make: *** [all] Error 2',
  '<returncode>1</returncode>',
]
const markers = [
  `[lines 3-9 folded: rehydrate("${handle}", "3-9")]`,
  `[3-9 folded: ${handle}]`,
  '[+18 lines as in step 1: rehydrate("0123456789ab", "4-21")]',
  '[folded: rehydrate("x")]',
  '[Tool: bash - ok, 3 tokens, step 1]',
]

function jsonValue(depth: number): unknown {
  const kind = upTo(depth > 3 ? 5 : 8)
  if (kind === 0) return null
  if (kind === 1) return random() * 10 ** upTo(20)
  if (kind === 2) return random() < 0.5
  if (kind < 5) return sentence()
  if (kind === 5) return many(6, () => jsonValue(depth + 1))
  if (kind === 6) return Object.fromEntries(many(6, () => [pick(words), jsonValue(depth + 1)]))
  const keys = many(5, () => pick(words))
  return many(12, () => Object.fromEntries(keys.filter(() => random() < 0.9).map((key) => [key, jsonValue(depth + 3)])))
}

const makers: readonly (() => string)[] = [
  () => '',
  () => '\n'.repeat(upTo(300)),
  () => pick(['x', ' ', '\\', '"', '🤖', '\ud83d', String.raw`\n`, 'error ', '[', '{"a":', '<a>']).repeat(upTo(3000)),
  () => JSON.stringify(jsonValue(0), null, pick([0, 2, '\t'])) ?? '',
  () =>
    JSON.stringify(
      { content: [{ type: 'text', text: many(80, sentence).join('\n') }], isError: random() < 0.3 },
      null,
      2,
    ),
  () => JSON.stringify(jsonValue(0) ?? '').slice(upTo(20)),
  () =>
    many(120, () => `${pick(['def', 'class', '    return', '        x =', '#', 'import'])} ${sentence()}`).join('\n'),
  () => many(120, () => `src/${pick(words)}.ts:${upTo(900)}:${sentence()}`).join('\n'),
  () => many(120, () => `${upTo(900)}${pick([':', '-', '\t'])}${sentence()}`).join('\n'),
  () => many(120, () => `2024-05-01 10:00:${upTo(60)} ${pick(['INFO', 'WARN', 'ERROR'])} ${sentence()}`).join('\n'),
  () => `diff --git a/x b/x\n@@ -1,9 +1,9 @@\n${many(60, () => pick(['+', '-', ' ']) + sentence()).join('\n')}`,
  () => many(60, () => `| ${sentence()} | ${upTo(9)} |`).join('\n'),
  () => `<html>${many(40, () => `<p class="${pick(words)}">${sentence()}</p>`).join(pick(['', '\n']))}`,
  () => many(60, () => `Downloading ${upTo(100)}%`).join('\r'),
  () => many(60, sentence).join(pick(['\n', '\r\n', '\n\n', '\r'])),
  () => many(40, () => pick(markers)).join('\n'),
  () => `\`\`\`ts\n${many(60, sentence).join('\n')}\n\`\`\`\nYou must keep this.`,
  () =>
    JSON.stringify(
      {
        type: 'function',
        function: {
          name: pick(words),
          description: sentence(),
          parameters: {
            type: 'object',
            properties: Object.fromEntries(
              many(5, () => [pick(words), { type: 'string', description: sentence(), title: pick(words) }]),
            ),
            required: [pick(words)],
          },
        },
      },
      null,
      pick([0, 2]),
    ),
]

/** A text, sometimes with failures and markers of ours strewn in, sometimes in a harness's envelope. */
function anyText(): string {
  const base = pick(makers)()
  const lines = base.split('\n')
  if (random() < 0.3) lines.splice(upTo(lines.length), 0, pick(failures))
  if (random() < 0.1) lines.splice(upTo(lines.length), 0, pick(markers))
  const joined = lines.join('\n')
  return random() < 0.2 ? `<returncode>${pick([0, 1, 127])}</returncode>\n<output>\n${joined}\n</output>` : joined
}

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
    shown.set(`k${at}`, referred.text)
    index = index.add({ key: `k${at}`, step: at + 1, call: false }, referred.text.split('\n'))
  })
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
  checkReferences([...recent, `${a}\n${b}`, `head\n${a}`, b])
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
