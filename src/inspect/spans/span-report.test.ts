import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputShape } from '../outputs/recorded-output.ts'
import { readMarked } from './read-spans.ts'
import type { MarkedText } from './read-spans.ts'
import { spanReport } from './span-report.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-spans-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, ...lines: readonly object[]): string => {
  const file = join(folder, name)
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}
const fail = (error: Error): never => {
  throw error
}
const count = (text: string): number => text.split(/\s+/).length

const texts = Array.from({ length: 40 }, (_, at): MarkedText => {
  const value = `${4111_0000 + at}`
  const text = `It is quite well known that the card of the man who was there in the morning is ${value}, as it was before.`
  return {
    id: `${at}`,
    text,
    spans: [
      { type: 'CARD', value },
      { type: 'PHRASE', value: 'well known that the card' },
    ],
  }
})

describe('marked spans', () => {
  it('are told by their shape, and read without their places', async () => {
    const marked = fileOf('m.jsonl', {
      id: 'a',
      text: 'I am Ann.',
      spans: [{ type: 'PERSON', start: 5, end: 8, value: 'Ann' }],
    })
    expect(await outputShape(marked)).toBe('marked')
    expect(await readMarked(marked, { onInvalid: fail })).toEqual([
      { id: 'a', text: 'I am Ann.', spans: [{ type: 'PERSON', value: 'Ann' }] },
    ])
  })

  it.each([
    [{ id: 'a', text: 'x', spans: {} }, 'spans'],
    [{ id: 'a', text: 'I am Ann.', spans: [{ type: 'PERSON', value: 'Bob' }] }, 'spans[0].value'],
    [{ id: 'a', text: 'I am Ann.', spans: [{ value: 'Ann' }] }, 'spans[0].type'],
    [{ id: 'a', spans: [] }, 'text'],
  ])('a line that cannot be read is told with its field: %j', async (line, field) => {
    const file = fileOf('bad.jsonl', { id: 'first', text: '', spans: [] }, line)
    await expect(readMarked(file, { onInvalid: fail })).rejects.toThrow(`bad.jsonl:2 ${field}: `)
  })

  it('of figures all stand where words go, of phrases none; the fewer tokens are left, the fewer of both', () => {
    const { types, tokens, spans, passages } = spanReport('f', texts, count)
    expect([spans, passages]).toEqual([80, 3])
    const [all, card, phrase] = types
    expect([all?.type, card?.type, phrase?.type]).toEqual(['all', 'CARD', 'PHRASE'])
    expect(card?.stands.words).toBe(1)
    expect(phrase?.stands.words).toBeLessThan(0.5)
    expect(tokens.words).toBeLessThan(1)
    expect(tokens.line).toBeLessThan(tokens['fewest lines'])
    expect(card?.stands.line).toBeLessThan(0.1)
    expect(all?.stands.words).toBe(((card?.stands.words ?? 0) + (phrase?.stands.words ?? 0)) / 2)
  })

  it('texts of no tokens, and none at all, have nothing to lose', () => {
    expect(spanReport('f', [], count).types).toEqual([])
    expect(spanReport('f', [{ id: 'a', text: '', spans: [] }], () => 0).tokens.line).toBe(1)
  })
})
