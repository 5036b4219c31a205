import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineIndex } from '../core/index.ts'
import { contentKind } from './content-kind.ts'
import { decodeCsv, encodeCsv } from './csv-layout.ts'
import { flatTable } from './flat-table.ts'
import { minifyJson, parseJsonSource } from './json-source.ts'
import { enveloped, kindSamples } from './kind-samples.fixture.ts'
import { ladderFor } from './ladder-for.ts'
import { lineIndex } from './line-index.ts'
import { decodeMarkdown, encodeMarkdown } from './markdown-layout.ts'
import { isLosslessForm, losslessForms } from './lossless-forms.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const rows = Array.from({ length: 12 }, (_, id) => ({ id, name: `name ${id}`, stock: id * 2 }))
const json = JSON.stringify(rows, null, 2)
const colours = '\u001b[31mexpected\u001b[0m 90, \u001b[32mreceived\u001b[0m 100'

function arrives(text: string, exact = false): string {
  const shownLines: LineIndex = lineIndex()
  const conversation = exact ? { shownLines, exact } : { shownLines }
  const item = { id: 'i', section: 'history', kind: 'tool-result', text } as const
  return ladderFor(item, { count, handle: '482915037114', conversation }).at(-1)?.text ?? ''
}

describe('losslessForms', () => {
  it('has JSON without white space or in columns, inside what stands around it', () => {
    const text = enveloped(`HTTP/1.1 200 OK\n${json}`)
    const [compact, columns] = losslessForms(text, 'json')
    expect(compact).toBe(enveloped(`HTTP/1.1 200 OK\n${JSON.stringify(rows)}`))
    expect(columns).toContain('<output>\nHTTP/1.1 200 OK\n[(id,name,stock)\n0,name 0,0\n')
    expect(isLosslessForm(columns ?? '', text)).toBe(true)
    expect(isLosslessForm(columns ?? '', text.replace('"name 3"', '"name 4"'))).toBe(false)
  })

  it('is never longer than the text, for any sample of real output', () => {
    for (const { text } of kindSamples) {
      for (const form of losslessForms(text, contentKind(text))) {
        expect(form.length).toBeLessThan(text.length)
        expect(isLosslessForm(form, text)).toBe(true)
      }
    }
  })
})

const forms = (value: unknown) => losslessForms(JSON.stringify(value, null, 2), 'json')

describe('P-089: a table and nothing else', () => {
  it('may be CSV or a Markdown table', () => {
    const [compact, markdown, csv, columns] = forms([
      { id: 'HAT1', on: '2026-11-23', price: 62.5, note: 'late, "again"' },
      { id: 'HAT2', on: '2026-11-24', price: null, note: 'a | b' },
    ])
    expect(compact).toMatch(/^\[\{"id":"HAT1"/)
    expect(csv).toBe('id,on,price,note\nHAT1,2026-11-23,62.5,"late, ""again"""\nHAT2,2026-11-24,null,a | b')
    expect(markdown?.split('\n')).toEqual([
      '| id | on | price | note |',
      '| --- | --- | --- | --- |',
      '| HAT1 | 2026-11-23 | 62.5 | late, "again" |',
      '| HAT2 | 2026-11-24 | null | a \\| b |',
    ])
    expect(columns).toMatch(/^\[\(id,on,price,note\)/)
  })

  it.each<[string, unknown]>([
    ['a string that is a number', [{ a: '12' }, { a: '7x' }]],
    ['a string that is a literal', [{ a: 'null' }, { a: 'x' }]],
    [
      'an empty string',
      [
        { a: '', b: 1 },
        { a: 'x', b: 2 },
      ],
    ],
    ['space at an end', [{ a: ' x' }, { a: 'y' }]],
    ['a missing cell', [{ a: 1, b: 2 }, { a: 1 }]],
    [
      'a list in a cell',
      [
        { a: [1], b: 1 },
        { a: [2], b: 2 },
      ],
    ],
    ['an object around it', { rows: [{ a: 'x' }, { a: 'y' }] }],
  ])('but not where a type, an empty or a missing cell would be lost: %s', (_, value) => {
    expect(forms(value).filter((form) => !/^[[{]/.test(form))).toEqual([])
  })

  it('but not among other words, which nobody could tell from its rows', () => {
    expect(losslessForms(enveloped(json), 'json').filter((form) => !form.includes('['))).toEqual([])
  })

  it('decodes to the very values, whatever they are', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('a|b', 'a,b', 'a"b', 'x\ny', '\\', '<br>', '1e5', 'TRUE', '2026-01-01', ' ', '| ', '\\|'),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.constantFrom(true, null),
    )
    let tables = 0
    fc.assert(
      fc.property(
        fc.array(fc.record({ 'id': cell, 'a b': cell, 'c|d': cell }), { minLength: 2, maxLength: 6 }),
        (value) => {
          const text = JSON.stringify(value)
          const node = parseJsonSource(text)
          const table = node && flatTable(node)
          if (table === undefined) return
          tables += 1
          expect(decodeCsv(encodeCsv(table))).toBe(minifyJson(text))
          const markdown = encodeMarkdown(table)
          if (markdown !== undefined) expect(decodeMarkdown(markdown)).toBe(minifyJson(text))
        },
      ),
      { numRuns: 300 },
    )
    expect(tables).toBeGreaterThan(20)
  })
})

describe('a result that comes into a conversation', () => {
  it('P-089: takes the cheapest of its forms, the compact one where others cost as much', () => {
    const flat = arrives(json)
    expect(flat).toMatch(/^id,name,stock\n0,name 0,0\n/)
    for (const form of losslessForms(json, 'json')) expect(count(flat)).toBeLessThanOrEqual(count(form))
  })

  it('takes the form that says the same in less', () => {
    const nested = rows.map((row) => ({ ...row, places: [row.id, row.stock] }))
    expect(arrives(JSON.stringify(nested, null, 2))).toContain('[(id,name,stock,places)\n0,name 0,0,[0,0]\n')
    expect(arrives(`${colours}\n`.repeat(9))).not.toContain('\u001b')
    expect(arrives(`Saving\n${[...Array(40).keys()].map((step) => `${step * 2.5}% saved`).join('\r')}\ndone`)).toBe(
      'Saving\n97.5% saved\ndone',
    )
  })

  it('stays as it came where it is what a file holds, or where little would be saved', () => {
    expect(arrives(json, true)).toBe(json)
    const words = Array.from({ length: 30 }, (_, at) => `words without an end ${at}`).join('\n')
    expect(arrives(`{"text": ${JSON.stringify(words)}}`)).toBe(`{"text": ${JSON.stringify(words)}}`)
  })
})
