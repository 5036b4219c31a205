import { describe, expect, it } from 'vitest'
import type { ConversationContext, Item } from '../core/index.ts'
import { closeReading } from './close-reading.ts'
import { ladderFor } from './ladder-for.ts'
import { parseFold } from './marker.ts'
import { factReader } from './text-facts.ts'
import { selectFrom, splitLines } from './text-lines.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const handle = '482915037114'
const million = 1_000_000

const result = (text: string): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'bash',
  text,
})

/** What a conversation that has moved on may show of a result. */
function shorterForms(text: string, more: ConversationContext = {}): readonly string[] {
  const conversation = { visible: new Set<string>(), shares: [0.8, 0.4, 0.1], lineWorth: 0.001, ...more }
  return ladderFor(result(text), { count, handle, step: 3, conversation })
    .slice(1)
    .map((form) => form.text)
}

/** A text of so many characters, with a row in its middle. */
function rows(row: (at: number) => string, length: number, middle?: string): string {
  const parts: string[] = []
  let size = 0
  let isPending = middle !== undefined
  for (let at = 0; size < length; at += 1) {
    const part = isPending && size > length / 2 ? (middle ?? '') : row(at)
    isPending &&= size <= length / 2
    parts.push(part)
    size += part.length + 1
  }
  return parts.join('\n')
}

const kinds: Readonly<Record<string, (at: number) => string>> = {
  'log': (at) => `2026-11-23T10:00:${at % 60}Z INFO worker ${at % 7} stored row ${at} in ${at % 97} ms`,
  'one digit a line': (at) => String(at % 10),
  'CSV': (at) => `${at},worker${at % 9},${at % 97},stored`,
  'TSV': (at) => `${at % 10}\t${at % 7}`,
  'Markdown table': (at) => `| ${at} | worker${at % 9} |`,
  'settings': (at) => `key_${at} = value${at % 9}`,
  'brackets': () => '[',
  'paths': (at) => `./src/worker${at % 9}/${(at * 7_919).toString(36)}.ts`,
}

describe.each(Object.entries(kinds))('a very long result: %s', (_, row) => {
  const text = rows(row, million, 'TypeError: rows is not iterable')

  it('shows what failed in its middle in every form', () => {
    const forms = shorterForms(text)
    expect(forms.length).toBeGreaterThan(1)
    for (const form of forms) expect(form).toContain('TypeError: rows is not iterable')
  })

  it('shows its beginning and its end, and folds what its handle brings back', () => {
    const split = splitLines(text)
    for (const form of shorterForms(text).slice(0, -1)) {
      const lines = form.split('\n')
      expect(lines[0]).toBe(text.slice(0, text.indexOf('\n')))
      expect(lines.at(-1)).toBe(text.slice(text.lastIndexOf('\n') + 1))
      const whole = lines.map((line) => {
        const fold = parseFold(line)
        return fold === undefined ? line : selectFrom(split, `${fold.first}-${fold.last}`)
      })
      expect(whole.join('\n')).toBe(text)
    }
  })
})

describe('what failed in the middle of a very long result stays', () => {
  const failure = 'TypeError: rows is not iterable'
  const text = rows(kinds['log']!, million, failure)

  it('where head, tail and failures are asked for', () => {
    const [outline, line] = shorterForms(text, { outline: true, shares: [0.05] })
    expect(outline).toContain(failure)
    expect(outline!.length).toBeLessThan(0.06 * text.length)
    expect(line).toContain(failure)
  })

  it('outside a conversation', () => {
    const forms = ladderFor(result(text), { count, handle }).filter(({ rung }) => rung === 'trimmed' || rung === 'line')
    expect(forms.length).toBeGreaterThan(1)
    for (const form of forms) expect(form.text).toContain(failure)
  })

  it('in a document on one line', () => {
    const document = `[${rows((at) => `{"id":${at},"state":"done"},`, million, `{"id":"job","error":"disk is full","state":"failed"},`).replaceAll('\n', '')}{}]`
    const [trimmed] = shorterForms(document)
    expect(trimmed).toContain('disk is full')
    expect(trimmed!.length).toBeLessThan(0.5 * document.length)
  })
})

describe('the excerpt of a very long text', () => {
  const linesRead = (text: string): number => factReader().ofText(text).text.lines.length

  it('is all lines of a text up to the limit', () => {
    const text = rows(kinds['log']!, closeReading.wholeUpTo - 200)
    const { excerpt, lines } = factReader().ofText(text).text
    expect(excerpt).toBeUndefined()
    expect(lines).toEqual(text.split('\n'))
  })

  it.each(Object.entries(kinds))('does not grow with the text: %s', (_, row) => {
    const read = [1, 2, 4].map((size) => linesRead(rows(row, size * million)))
    // Gaps count as lines, and openers and short gaps come on top.
    for (const lines of read) expect(lines).toBeLessThan(1.3 * closeReading.lines)
    expect(Math.max(...read)).toBeLessThan(1.3 * Math.min(...read))
  })

  it('has the one line that is unlike all others', () => {
    const text = rows(kinds['log']!, million, 'the total of all invoices is right')
    expect(factReader().ofText(text).text.lines).toContain('the total of all invoices is right')
  })

  it('has the lines with a word that is asked for', () => {
    const asked = 'INFO worker 3 stored row 999999 for Marlowe in 12 ms'
    const text = rows(
      (at) => `INFO worker ${at % 7} stored row ${at} for client${(at * 7_919).toString(36)} in 7 ms`,
      million,
      asked,
    )
    const facts = factReader().ofText(text)
    expect(facts.text.lines).not.toContain(asked)
    expect(facts.about?.(new Set(['marlow'])).text.lines).toContain(asked)
    expect(facts.about?.(new Set(['worker'])).text).toBe(facts.text)
  })

  it('has the lines that open what a line of its middle stands in', () => {
    const item = (at: number): string =>
      `item${at}:\n  parts:\n${Array.from({ length: 40 }, (_, part) => `    - part ${part} of ${at}`).join('\n')}`
    const { lines } = factReader().ofText(rows(item, million)).text
    const behindGaps = lines.flatMap((line, at) => (/^ {4}-/.test(line) && lines[at - 1] === '' ? [lines[at - 2]] : []))
    expect(behindGaps.length).toBeGreaterThan(10)
    expect(new Set(behindGaps)).toEqual(new Set(['  parts:']))
  })

  it('has the messages of many more failures than always stand', () => {
    const text = rows((at) => (at % 200 === 0 ? `ERROR: worker${at} has lost its lease` : kinds['log']!(at)), million)
    const failures = text.split('\n').filter((line) => line.startsWith('ERROR'))
    const { lines } = factReader().ofText(text).text
    expect(failures.length).toBeGreaterThan(50)
    expect(failures.slice(0, closeReading.failures).filter((line) => !lines.includes(line))).toEqual([])
  })
})

it('folds a very long call by all its lines, and leaves it JSON', () => {
  const content = rows((at) => `const value${at} = compute(${at})`, million)
  const text = JSON.stringify({ path: 'src/values.ts', content })
  const call: Item = { ...result(text), kind: 'tool-call', role: 'assistant', toolName: 'write' }
  const conversation = { visible: new Set<string>(), callTokens: 24, lineWorth: 1 }
  const [, folded] = ladderFor(call, { count, handle, step: 3, conversation })
  const args = JSON.parse(folded?.text ?? '') as { path: string; content: string }
  expect(args.path).toBe('src/values.ts')
  expect(args.content.startsWith('const value0 = compute(0)\n')).toBe(true)
  expect(args.content.length).toBeLessThan(1_000)
})
