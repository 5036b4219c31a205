import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { failedRows, tellingLines } from './failure-json.ts'
import { detectFailure } from './failure.ts'
import { ladderFor } from './ladder-for.ts'
import { textLines } from './text-lines.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const resultOf = (text: string): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'x',
  text,
})

const rows = (size: number): readonly object[] =>
  Array.from({ length: size }, (_, id) => ({
    id,
    name: `boat ${id}`,
    title: 'boat',
    status: 'moored',
    code: id,
    ok: true,
  }))
const failure = { message: 'Owner 17 is not yours', path: ['owner'], extensions: { code: 'FORBIDDEN' } }

/** The lines of a document, as it is parted where it is one line, and as it is printed. */
const linesOf = (value: object): readonly { text: string; lines: readonly string[] }[] =>
  [JSON.stringify(value), JSON.stringify(value, null, 1)].map((text) => ({ text, lines: textLines(text).lines }))

describe('what a failed document says of that', () => {
  it.each([
    ['behind the data', { data: { boats: rows(120), owner: null }, errors: [failure] }],
    ['before the data', { errors: [failure], data: { boats: rows(120), owner: null } }],
    [
      'deep in it, flagged at the top',
      { success: false, data: rows(120), meta: { error: { message: 'Owner 17 is not yours', code: 'FORBIDDEN' } } },
    ],
  ])('is told by weight, not by place: %s', (_, document) => {
    for (const { lines } of linesOf(document)) {
      const told = tellingLines(lines)
        .map((at) => lines[at])
        .join('\n')
      expect(told).toContain('Owner 17 is not yours')
      expect(told).toContain('FORBIDDEN')
    }
  })

  it.each([
    [
      'texts',
      { results: rows(120), failures: ['boat 17: keel is cracked', 'boat 19: no mast'] },
      ['keel is cracked', 'no mast'],
    ],
    [
      'records',
      { results: rows(120), failures: [{ test: 'moors at dock', expected: 3, actual: 4, where: 'dock.test.ts:14' }] },
      ['moors at dock', 'dock.test.ts:14'],
    ],
    [
      'names',
      { passed: rows(120).map(String), failed: ['tide.test.ts', 'dock.test.ts'] },
      ['tide.test.ts', 'dock.test.ts'],
    ],
    [
      'records before the data',
      { failed: [{ id: 'job-3', why: 'no mast' }], succeeded: rows(120) },
      ['job-3', 'no mast'],
    ],
    ['errors that are texts', { data: rows(120), errors: ['Mast 3\nis gone', 'No keel'] }, ['Mast 3', 'No keel']],
    [
      'a refusal and its body',
      { statusCode: 500, rows: rows(60), body: 'the mooring is down' },
      ['500', 'the mooring is down'],
    ],
    [
      'a body that is a document',
      { headers: rows(60), statusCode: 404, body: { message: 'Owner 17 is not yours', trace: rows(30) } },
      ['404', 'Owner 17 is not yours'],
    ],
  ])('stands in every form that shows anything of it: %s', (_, document, words) => {
    for (const { text, lines } of linesOf(document)) {
      expect(detectFailure(lines, 'json', text).failed).toBe(true)
      for (const rung of ladderFor(resultOf(text), { count, handle: '482915037114' })) {
        if (rung.rung === 'pointer' || rung.rung === 'omitted') continue
        for (const word of words) expect([rung.rung, rung.text]).toEqual([rung.rung, expect.stringContaining(word)])
      }
    }
  })

  it('lists of failures that are empty, and answers that were none, say nothing', () => {
    for (const document of [
      { results: rows(50), failures: [], failed: [] },
      { failed: 0, failures: 0, results: rows(50) },
      { statusCode: 200, body: 'moored' },
      { statusCode: 404, rows: rows(50) },
    ])
      for (const { text, lines } of linesOf(document)) expect(detectFailure(lines, 'json', text).failed).toBe(false)
  })

  it('of a list in which a few rows have failed these are told, and the list is not ok', () => {
    const all = rows(121).with(77, { id: 77, name: 'boat 77', ok: false, error: 'keel is cracked' })
    for (const { lines, text } of [...linesOf(all), ...linesOf({ items: all })]) {
      const report = detectFailure(lines, 'json', text)
      expect(report.stated).toBeGreaterThan(0)
      expect(report.lines.map((at) => lines[at]).join('\n')).toContain('keel is cracked')
    }
  })

  it('rows that say nothing of a failure, and lists of nothing else, have no exceptions', () => {
    const failing = (list: readonly object[]) => linesOf(list).map(({ lines }) => failedRows(lines))
    expect(failing(rows(50))).toEqual([[], []])
    const none = rows(50).map((row) => ({ ...row, error: null, errors: [], errorCount: 0 }))
    expect(failing(none)).toEqual([[], []])
    expect(failing(rows(50).map((row) => ({ ...row, ok: false })))).toEqual([[], []])
  })
})
