import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/* An analyst reads sheets and results of queries, and writes cells that take up what stood in them. */

interface Row {
  readonly customer: string
  readonly order: string
  readonly city: string
  readonly amount: string
  readonly share: string
  readonly state: string
  readonly due: string
}

const firsts = [
  'Blue Harbour',
  'Kowalski',
  'Van den Berg',
  'São Jorge',
  'Green Valley',
  'Müller & Söhne',
  'Old Mill',
  'Red Lantern',
  'Ito',
  'Fjord',
]
const seconds = ['Bakery', 'Logistics', 'Instruments', 'Foods Ltd', 'Print Works', 'Consulting', 'Hardware', 'Dairy']
const cities = ['Lisbon', 'Gdańsk', 'Osaka', 'Leeds', 'Graz', 'Bergen', 'Utrecht']
const states = ['paid', 'overdue', 'cancelled', 'on hold', 'partly paid', 'written off']

function rowOf({ pick, upTo }: Chances): Row {
  return {
    customer: `${pick(firsts)} ${pick(seconds)} ${upTo(90) + 10}`,
    order: `${2_000 + upTo(7_999)}`,
    city: pick(cities),
    amount: `${upTo(90) + 1},${100 + upTo(899)}.${10 + upTo(89)}`,
    share: `${upTo(99)}.${upTo(10)}%`,
    state: pick(states),
    due: `2026-${String(1 + upTo(12)).padStart(2, '0')}-${String(1 + upTo(28)).padStart(2, '0')}`,
  }
}

type Writer = (rows: readonly Row[], chances: Chances) => string

const names = ['customer', 'order', 'city', 'amount', 'share', 'state', 'due'] as const

const psql: Writer = (rows) => {
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)))
  const line = (cells: readonly string[]): string =>
    ` ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')}`
  return [
    line(names),
    widths.map((width) => '-'.repeat(width + 2)).join('+'),
    ...rows.map((row) => line(names.map((name) => row[name]))),
    `(${rows.length} rows)`,
  ].join('\n')
}

const csv: Writer = (rows) =>
  [
    names.join(','),
    ...rows.map((row) => names.map((name) => (row[name].includes(',') ? `"${row[name]}"` : row[name])).join(',')),
  ].join('\n')

/** A sheet as an add-on returns it: a list of values, with sections and remarks between. */
const sheet: Writer = (rows, { upTo }) =>
  rows
    .map((row, at) => {
      const section = at % 9 === 0 ? `\nRegion ${row.city} (${upTo(40) + 3} accounts)\n` : ''
      return `${section}A${at + 2}: ${row.customer}\tB${at + 2}: ${row.amount}\tC${at + 2}: ${row.state}\tD${at + 2}: ${row.due}\tE${at + 2}: ${row.share}`
    })
    .join('\n')

export const tableSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 13 + layout)
  const { upTo, pick } = chances
  const write = [psql, csv, sheet][layout] ?? psql
  const { user, step, answer, session } = talk(
    id,
    instructions('an analyst with access to a database and to spreadsheets'),
  )
  const reads = Array.from({ length: 7 }, () => Array.from({ length: 40 }, () => rowOf(chances)))
  user('Reconcile the receivables: look at each region, then mark what is overdue and what was written off.')
  reads.forEach((rows, at) => {
    const given =
      layout === 2
        ? { range: `Receivables!A${at * 50 + 1}:E${at * 50 + 41}` }
        : { sql: `select * from receivables where region = ${at} order by customer` }
    step({ tool: layout === 2 ? 'sheet_read' : 'sql_query', given, result: write(rows, chances) })
    const row = pick(reads[upTo(at + 1)] ?? rows)
    step({
      tool: 'sheet_write',
      given: { range: `Report!A${at + 2}`, values: [row.customer, row.amount, row.state, row.due] },
      result: '{"updatedCells": 4}',
    })
  })
  user('Add a remark for every account that is overdue. Begin with the two largest ones.')
  for (const row of shuffled(reads.flat(), upTo)
    .filter(({ state }) => state === 'overdue')
    .slice(0, 5)) {
    step({
      tool: 'sheet_write',
      given: { range: 'Report!F2', values: [row.customer, `${row.amount} due ${row.due}`] },
      result: '{"updatedCells": 2}',
    })
    step({
      tool: layout === 2 ? 'sheet_read' : 'sql_query',
      given: { sql: `select * from payments where account = ${row.order}` },
      result: write(
        Array.from({ length: 12 }, () => rowOf(chances)),
        chances,
      ),
    })
  }
  user('Thank you. Two figures were still open from the first regions, please check them.')
  for (const row of shuffled(reads.slice(0, 4).flat(), upTo).slice(0, 6))
    step({
      tool: 'sheet_write',
      given: { range: 'Report!G2', values: [row.customer, row.share, row.amount] },
      result: '{"updatedCells": 3}',
    })
  answer('The report is complete.')
  return session()
}
