import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { readMarker } from './marker-grammar.ts'
import { selectLines } from './text-lines.ts'

const handle = '482915037114'
const count = (text: string): number => Math.ceil(text.length / 4)
const size = 240
const orders = Array.from({ length: size }, (_, at) => ({
  order_id: 7000 + at,
  customer: `customer ${at % 37}`,
  state: ['open', 'closed', 'void'][at % 3] ?? '',
  price: at === 151 ? 9999.5 : 10 + (at % 50) / 4,
  note: `left at the door of house number ${(at * 13) % 97} by the driver`,
  region: 'EU',
}))
const names = Object.keys(orders[0] ?? {})
const cells = orders.map((order) => Object.values(order).map(String))
const rule = '+----------+-----------+-------+-------+------+--------+'
const header = names.join(',')
const forms = {
  'CSV': [header, ...cells.map((row) => row.join(','))].join('\n'),
  'TSV': [names.join('\t'), ...cells.map((row) => row.join('\t'))].join('\n'),
  'a box': [rule, `| ${names.join(' | ')} |`, rule, ...cells.map((row) => `| ${row.join(' | ')} |`), rule].join('\n'),
  'psql': [
    ` ${names.join(' | ')}`,
    '----+----+----+----+----+----',
    ...cells.map((row) => ` ${row.join(' | ')}`),
    '(240 rows)',
  ].join('\n'),
  'JSON': JSON.stringify({ total: size, orders }),
  'pretty JSON': JSON.stringify(orders, undefined, 2),
}

const result = (text: string): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'sql',
  text,
})
const sum = orders.reduce((total, { price }) => total + price, 0)

describe.each(Object.entries(forms))('P-091: a table of 240 rows as %s', (form, text) => {
  const rungs = ladderFor(result(text), { count, handle, focus: new Set(['7077', 'price']) })
  const trimmed = rungs.filter(({ rung }) => rung === 'trimmed')
  const isJson = form.endsWith('JSON')

  it('is filtered: the rows that the task names, those with extremes, and both ends stand under the exact header', () => {
    expect(trimmed.length).toBeGreaterThan(1)
    for (const { text: shown } of trimmed)
      for (const row of [7000, 7077, 7151, 7239])
        expect(shown, `${form} ${row}`).toMatch(new RegExp(`^[| ]*${row}[, |\t]`, 'm'))
    const [most] = trimmed
    const line = isJson ? `(${header})` : (text.split('\n').find((one) => one.includes('order_id')) ?? '')
    expect(most?.text.split('\n').some((one) => one.endsWith(line))).toBe(true)
  })

  it('at a fifth of its tokens shows chosen columns only, and says how many', () => {
    const least = trimmed.at(-1)?.text ?? ''
    const values = readMarker(least.split('\n')[0] ?? '')?.values
    expect(values).toMatchObject({ lines: '240', columns: '6', handle })
    expect(Number(values?.picked)).toBeLessThan(6)
    const body = least.slice(0, least.indexOf('Of all 240 rows:'))
    expect(body).not.toContain('left at the door')
    expect(body).not.toMatch(/\bEU\b/)
    expect(body).toContain('price')
    expect(Number(values?.rows)).toBe(body.split('\n').filter((line) => /^[| ]*7\d\d\d\b/.test(line)).length)
  })

  it('is sampled: besides those, rows from every tenth of it', () => {
    for (const { text: shown } of trimmed) {
      const shownIds = [...shown.matchAll(/^[| ]*(7\d\d\d)\b/gm)].map(([, id]) => Number(id) - 7000)
      for (let tenth = 0; tenth < 10; tenth++) expect(shownIds.some((id) => Math.floor(id / 24) === tenth)).toBe(true)
    }
  })

  it('is aggregated: every shorter form tells counts, sums, means and extremes of all rows, and sums by group', () => {
    const figures = rungs.filter(({ rung }) => rung === 'trimmed' || rung === 'summary')
    expect(figures.at(-1)?.rung).toBe('summary')
    for (const { text: shown } of figures) {
      expect(shown).toContain('state: closed 80, open 80, void 80')
      expect(shown).toContain(`price: 10 to 9999.5, sum ${sum}, mean`)
      expect(shown).toContain('sum of price by state: ')
      expect(shown).toContain('region: EU in all')
      expect(shown).not.toContain('order_id: 7000 to 7239, sum')
    }
  })

  it('folds rows under markers whose lines the handle brings back', () => {
    for (const { text: shown } of trimmed) {
      const hidden = orders.filter(({ order_id: id }) => !new RegExp(`^[| ]*${id}\\b`, 'm').test(shown))
      const ranges = [...shown.matchAll(/^\[(?:line )?(\d+(?:-\d+)?) folded: 482915037114\]$/gm)]
      const back = ranges.map(([, range]) => selectLines(text, range ?? '') ?? '').join('\n')
      for (const { order_id: id } of hidden) expect(back).toContain(String(id))
    }
  })
})

describe('P-091: tables', () => {
  it('rows that state a failure stand in every form that shows rows, and the figures do not stand alone then', () => {
    const lines = forms.CSV.split('\n')
    lines[120] = '7119,customer 8,ERROR: payment failed: card expired,12,x,EU'
    const rungs = ladderFor(result(lines.join('\n')), { count, handle })
    const shown = rungs.filter(({ rung }) => rung === 'trimmed')
    expect(shown.length).toBeGreaterThan(0)
    for (const { text } of shown) expect(text).toContain('payment failed')
    expect(rungs.some(({ rung }) => rung === 'summary')).toBe(false)
  })

  it.each([
    ['in columns for it', { ok: false, error: 'the card of the customer was declined by the bank' }],
    ['in a status and its reason', { status: 'failed', reason: 'the card of the customer was declined by the bank' }],
    ['in words of its own', { log: 'ERROR: payment failed: declined by the bank' }],
  ])('what has failed in a row stands in every form that shows rows: %s', (_, failure) => {
    const usual = Object.fromEntries(
      Object.keys(failure).map((name) => [name, name === 'ok' ? true : name === 'status' ? 'paid' : '']),
    )
    const list = orders.map((order, at) => ({ ...order, ...usual, ...(at === 77 && failure) }))
    const columns = Object.keys(list[0] ?? {})
    const csv = [columns.join(','), ...list.map((row) => Object.values(row).join(','))].join('\n')
    // Of a list of records only what fields for errors say is known to be a failure.
    const lists = 'log' in failure ? [] : [JSON.stringify(list), JSON.stringify(list, null, 2)]
    for (const text of [...lists, csv]) {
      const shown = ladderFor(result(text), { count, handle }).filter(({ rung }) => rung === 'trimmed')
      expect(shown.length).toBeGreaterThan(1)
      for (const one of shown) {
        const line = one.text.split('\n').find((each) => each.includes('7077'))
        if (text !== csv || line !== undefined) expect(line).toContain('declined by the bank')
      }
      const marker = readMarker((shown.at(-1)?.text ?? '').split('\n')[0] ?? '')
      expect(Number(marker?.values?.picked)).toBeLessThan(columns.length)
    }
  })

  it('a column in which most rows say that they have failed is one like the others', () => {
    const failing = orders.map((order) => ({ ...order, error: 'the card of the customer was declined by the bank' }))
    const least = ladderFor(result(JSON.stringify(failing)), { count, handle }).findLast(
      ({ rung }) => rung === 'trimmed',
    )
    expect(least?.text.split('Of all')[0]).not.toContain('declined')
  })

  it('in a conversation what the user asked last chooses the rows, and nothing changes before there is want of room', () => {
    const conversation = { visible: new Set<string>(), age: 30, lineWorth: 0.01, lowestRung: 'line' as const }
    const asked = () => new Set(['7093'])
    const of = (shares?: readonly number[]) =>
      ladderFor(result(forms.CSV), {
        count,
        handle,
        conversation: { ...conversation, asked, ...(shares && { shares }) },
      })
    expect(of([0.2]).find(({ rung }) => rung === 'trimmed')?.text).toContain('\n7093,')
    expect(of([0.2]).some(({ rung }) => rung === 'summary')).toBe(true)
    expect(of().some(({ text }) => text.includes('[Table:'))).toBe(false)
  })

  it('what is found, too', () => {
    const item: Item = {
      id: 'e',
      section: 'evidence',
      kind: 'evidence',
      text: forms.CSV,
      provenance: { sourceId: 's' },
    }
    expect(ladderFor(item, { count, handle }).filter(({ text }) => text.startsWith('[Table: ')).length).toBeGreaterThan(
      1,
    )
  })

  it('any table: forms that shrink, the same each time, each row shown as it is', () => {
    const cell = fc.stringMatching(/^[a-zA-Z0-9 .-]{0,12}$/)
    const table = fc
      .integer({ min: 3, max: 8 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 12, maxLength: 60 }),
      )
    fc.assert(
      fc.property(table, (rows) => {
        const head = rows[0]?.map((_, at) => `name${at}`) ?? []
        const text = [head, ...rows].map((row) => row.join(',')).join('\n')
        const make = () => ladderFor(result(text), { count, handle })
        const rungs = make()
        const tokens = rungs.map((rung) => rung.tokens)
        expect(tokens).toEqual([...new Set(tokens)].toSorted((a, b) => b - a))
        expect(make()).toEqual(rungs)
        const given = new Set(text.split('\n'))
        for (const { text: shown } of rungs.filter((rung) =>
          rung.text.includes(`${head.length} of ${head.length} columns`),
        )) {
          const body = shown.split('\n').slice(1, shown.split('\n').indexOf(`Of all ${rows.length} rows:`))
          for (const line of body) expect(given.has(line) || readMarker(line) !== undefined).toBe(true)
        }
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})

describe('numbers that are moments', () => {
  const first = 1_700_000_000
  const rows = Array.from({ length: size }, (_, at) => ({ date: first + 86_400 * at, time: at / 4, total: 2e9 + at }))
  const shown = ladderFor(result(JSON.stringify(rows)), { count, handle }).find(({ rung }) => rung === 'trimmed')?.text

  it('are told from the first to the last, and are nothing to add up; durations and amounts are', () => {
    expect(shown).toContain(`\ndate: ${first} to ${first + 86_400 * (size - 1)}\n`)
    expect(shown).toMatch(/\ntime: 0 to 59\.75, sum 7170, mean /)
    expect(shown).toMatch(/\ntotal: 2000000000 to 2000000239, sum \d+, mean /)
  })
})
