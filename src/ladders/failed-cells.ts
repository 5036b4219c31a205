import type { DataTable, TableRow } from './data-table.ts'
import { statesFailure } from './failure.ts'

/** What cells of a column can say of the failure of their row: that it has failed, or only why where another says that. */
interface Telling {
  readonly names: RegExp
  readonly says: 'that' | 'why'
  readonly values: RegExp
}

/** Something, and not a word for nothing. */
const something = /^(?!(?:null|none|no errors?|n\/a|nil|-|0|false|\[\]|\{\})?$)/i

const tellings: readonly Telling[] = [
  { names: /^(?:success|ok|passed)$/i, says: 'that', values: /^(?:false|no|0)$/i },
  {
    names: /^(?:status|state|conclusion|level|severity|outcome|result)$/i,
    says: 'that',
    values: /^(?:error|errored|failed|failure|fail|fatal|critical)$/i,
  },
  { names: /^(?:errors?|err|error_?message|exception|failures?|stderr|traceback)$/i, says: 'that', values: something },
  { names: /^(?:reason|cause|message|msg|details?)$/i, says: 'why', values: something },
  { names: /^(?:exit_?(?:code|status)?|status_?code|code)$/i, says: 'why', values: /^[1-9]\d{0,3}$/ },
]

/** The cells of a row that state a failure by themselves, whatever their column is called. */
function statingCells(said: DataTable['said'], row: TableRow | undefined): readonly number[] {
  return (row?.cells ?? []).flatMap((cell, column) => (statesFailure(said(cell)) ? [column] : []))
}

/** More rows are no exceptions: they are what was asked for. */
const mostRows = 8

/** The columns in which a few rows say that they have failed, and why; `known` are rows that are known to have. */
export function failedColumns({ names, rows, said }: DataTable, known: ReadonlySet<number>): readonly number[] {
  const telling = names.flatMap((name, column) => {
    const found = tellings.find((one) => one.names.test(said(name)))
    return found ? [{ ...found, column }] : []
  })
  const told = [...known].map((row) => statingCells(said, rows[row]))
  if (!telling.some(({ says }) => says === 'that')) return [...new Set(told.flat())]
  let others = 0
  for (const [row, { cells }] of rows.entries()) {
    const own = telling.filter(({ column, values }) => values.test(said(cells[column] ?? '').trim()))
    if (!own.some(({ says }) => says === 'that')) continue
    if (!known.has(row)) others += 1
    if (others > mostRows || others * 2 > rows.length) return [...new Set(told.slice(0, known.size).flat())]
    told.push(own.map(({ column }) => column))
  }
  return [...new Set(told.flat())]
}
