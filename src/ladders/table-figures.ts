import type { DataTable } from './data-table.ts'

/** What is known of all rows of a column. */
export interface ColumnFacts {
  readonly name: string
  /** Different things that its cells say, up to one more than can be told apart. */
  readonly values: ReadonlyMap<string, number>
  readonly empty: number
  /** The number in each row; absent where the column holds anything else. */
  readonly numbers?: readonly (number | undefined)[]
  /** Digits behind the point. */
  readonly decimals: number
}

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/
const mostValues = 1000

export function columnFacts({ names, rows, said }: DataTable): readonly ColumnFacts[] {
  return names.map((name, column) => {
    const values = new Map<string, number>()
    const numbers: (number | undefined)[] = []
    let empty = 0
    let decimals = 0
    let isNumeric = true
    for (const { cells } of rows) {
      const value = said(cells[column] ?? '')
      const known = values.get(value)
      if (isNothing(value)) empty++
      else if (known !== undefined || values.size < mostValues) values.set(value, (known ?? 0) + 1)
      isNumeric &&= number.test(value) || isNothing(value)
      decimals = Math.max(decimals, isNumeric ? (value.split('.')[1]?.length ?? 0) : 0)
      numbers.push(isNumeric && number.test(value) ? Number(value) : undefined)
    }
    const isAmount = isNumeric && empty < rows.length
    return { name: said(name), values, empty, decimals, ...(isAmount && { numbers }) }
  })
}

function isNothing(value: string): boolean {
  return value === '' || value === 'null' || value === 'NULL'
}

/** Names of columns whose numbers are names: nobody wants the sum of them. */
const naming = /(?:^|[_ .-])(?:id|key|code|zip|year|phone|port|pid|no|number|index|version)$|[a-z]Id$/i

/** Whether numbers of the column can be added up. */
export function isSummable({ name, numbers }: ColumnFacts): boolean {
  return numbers !== undefined && !naming.test(name) && !(ofTime.test(name) && numbers.every(isMoment))
}

/** Names of columns whose numbers may be moments: seconds or milliseconds since 1970, of 2001 and later. A duration is less. */
const ofTime =
  /(?:^|[_ .-])(?:date|day|time|timestamp|ts|epoch|at|on|since|until)$|[a-z](?:At|On|Date|Time|Timestamp)$/i

function isMoment(value: number | undefined): boolean {
  return value === undefined || (value >= 1e9 && value < 1e10) || (value >= 1e12 && value < 1e13)
}

const fewValues = 6
const mostFigures = 12
const mostGrouped = 2
const longestValue = 40

/** Counts, sums, means and extremes of every column, and sums by group where there are few groups; a line each. */
export function tableFigures(facts: readonly ColumnFacts[], table: DataTable): readonly string[] {
  const lines = facts.slice(0, mostFigures).map((column) => `${column.name}: ${figuresOf(column, table.rows.length)}`)
  const groups = facts.find(isGrouping)
  const sums = facts.filter(isSummable).slice(0, mostGrouped)
  const grouped = groups === undefined ? [] : sums.map((column) => sumsBy(column, groups, { facts, table }))
  const untold = facts.length - mostFigures
  return [...lines, ...grouped, ...(untold > 0 ? [`and ${untold} more columns`] : [])]
}

/** Whether what a column says parts the rows into a few groups. */
function isGrouping({ values, numbers, empty }: ColumnFacts): boolean {
  return values.size > 1 && values.size <= fewValues && numbers === undefined && empty === 0 && isShort(values)
}

function isShort(values: ReadonlyMap<string, number>): boolean {
  return [...values.keys()].every((value) => value.length <= longestValue && !value.includes('\n'))
}

function figuresOf(column: ColumnFacts, rows: number): string {
  const { values, empty } = column
  const none = empty === 0 ? '' : `, ${empty} empty`
  if (empty === rows) return 'all empty'
  if (values.size === 1 && isShort(values)) return `${[...values.keys()][0] ?? ''} in all${none}`
  if (column.numbers !== undefined) return `${amountsOf(column)}${none}`
  if (values.size <= fewValues && isShort(values)) return `${countsOf(values)}${none}`
  if (values.size < mostValues && [...values.keys()].every((value) => day.test(value)))
    return `${rangeOf(values)}${none}`
  return `${values.size < mostValues ? values.size : `${mostValues} and more`} different${none}`
}

const day = /^\d{4}-\d\d-\d\d[\dT:.,Z +-]{0,24}$/

/** Days are in their order as texts. */
function rangeOf(values: ReadonlyMap<string, number>): string {
  const sorted = [...values.keys()].toSorted()
  return `${sorted[0] ?? ''} to ${sorted.at(-1) ?? ''}`
}

function countsOf(values: ReadonlyMap<string, number>): string {
  return [...values]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([value, count]) => `${value} ${count}`)
    .join(', ')
}

function amountsOf(column: ColumnFacts): string {
  const { numbers = [], decimals } = column
  const known = numbers.filter((value) => value !== undefined)
  const [least, most] = extremes(known)
  const range = `${written(least, decimals)} to ${written(most, decimals)}`
  if (!isSummable(column)) return range
  const sum = known.reduce((total, value) => total + value, 0)
  if (Math.abs(sum) > Number.MAX_SAFE_INTEGER / 10 ** decimals) return range
  return `${range}, sum ${written(sum, decimals)}, mean ${written(sum / known.length, decimals + 2)}`
}

export function extremes(numbers: readonly number[]): readonly [least: number, most: number] {
  let least = Infinity
  let most = -Infinity
  for (const value of numbers) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

/** Without noughts at the end of what is no whole number. */
function written(value: number, decimals: number): string {
  const text = value.toFixed(Math.min(20, decimals))
  return text.includes('.') ? text.replace(/\.?0{1,20}$/, '') : text
}

interface Grouped {
  readonly facts: readonly ColumnFacts[]
  readonly table: DataTable
}

function sumsBy({ name, numbers = [], decimals }: ColumnFacts, groups: ColumnFacts, { facts, table }: Grouped): string {
  const column = facts.indexOf(groups)
  const sums = new Map([...groups.values.keys()].map((value) => [value, 0]))
  table.rows.forEach(({ cells }, row) => {
    const group = table.said(cells[column] ?? '')
    sums.set(group, (sums.get(group) ?? 0) + (numbers[row] ?? 0))
  })
  const told = [...sums].map(([group, sum]) => `${group} ${written(sum, decimals)}`)
  return `sum of ${name} by ${groups.name}: ${told.join(', ')}`
}
