import { isVeryLong } from './close-reading.ts'
import type { ContentKind } from './content-kinds.ts'
import type { LadderOptions } from './ladder-options.ts'
import { foldMarker } from './marker.ts'
import { writeMarker } from './marker-grammar.ts'
import { readTable } from './read-table.ts'
import type { DataTable } from './data-table.ts'
import type { Draft } from './renditions.ts'
import { pickColumns, pickRows } from './table-choice.ts'
import type { TableWorth } from './table-choice.ts'
import { columnFacts, tableFigures } from './table-figures.ts'
import type { ColumnFacts } from './table-figures.ts'

export interface TableInput {
  readonly text: string
  readonly kind: ContentKind
  /** Worth of each line, as the handle counts them; lines of 1 and more stay. */
  readonly values: Float32Array
  /** Tokens of the original. */
  readonly tokens: number
  readonly shares: readonly number[]
  readonly context: LadderOptions
}

/** Below this share the columns are chosen, too. */
const allColumnsFrom = 0.5

/**
 * A table with its exact header, the rows that matter (that state a failure, share words with the task, hold an extreme of a column) and others evenly from
 * its beginning to its end, and figures of all rows; below half of its tokens without the columns that say least for their length; and its header and figures
 * alone. Undefined where the text is no table that can be read row by row, or is very long: its lines are folded then.
 */
export function tableDrafts({ text, kind, values, tokens, shares, context }: TableInput): readonly Draft[] | undefined {
  const table = isVeryLong(text) ? undefined : readTable(text, kind)
  if (table === undefined) return undefined
  const facts = columnFacts(table)
  const figures = tableFigures(facts, table)
  const writing = { table, figures, context }
  const all = [...table.names.keys()]
  const length = table.rows.reduce((sum, _, row) => sum + table.row(row, all).length + 1, 0)
  const perCharacter = tokens / Math.max(1, text.length)
  const worth: TableWorth = { table, facts, values, words: wordsOf(context) }
  const fixed = context.count(shownTable(writing, { rows: new Set(), columns: [] }))
  const drafts = shares.flatMap((share): readonly Draft[] => {
    const columns = pickColumns(worth, share >= allColumnsFrom ? 1 : Math.sqrt(share))
    const room = share * Math.min(length, text.length) - fixed / perCharacter
    const rows = pickRows(worth, { columns, characters: room })
    if (rows.size === 0 || (rows.size === table.rows.length && columns.length === all.length)) return []
    const shown = shownTable(writing, { rows, columns })
    return [{ rung: 'trimmed', text: shown, fidelity: keptOf(table, facts, { rows, columns }), handle: context.handle }]
  })
  if (pickRows(worth, { columns: [], characters: -1 }).size > 0) return drafts
  const alone = shownTable(writing, { rows: new Set(), columns: all })
  return [...drafts, { rung: 'summary', text: alone, fidelity: figuresFidelity, handle: context.handle }]
}

/** Figures answer what is asked of all rows, and nothing of one. */
const figuresFidelity = 0.12

function keptOf(table: DataTable, facts: readonly ColumnFacts[], { rows, columns }: Shown): number {
  const size = (chosen: readonly number[]): number =>
    chosen.reduce((sum, column) => sum + Math.max(1, facts[column]?.values.size ?? 1), 0)
  const cells = (rows.size / table.rows.length) * (size(columns) / Math.max(1, size([...facts.keys()])))
  return Math.min(0.99, figuresFidelity + (1 - figuresFidelity) * cells)
}

function wordsOf({ focus, conversation }: LadderOptions): ReadonlySet<string> {
  return focus !== undefined && focus.size > 0 ? focus : (conversation?.asked?.() ?? noWords)
}

const noWords: ReadonlySet<string> = new Set()

interface Writing {
  readonly table: DataTable
  readonly figures: readonly string[]
  readonly context: LadderOptions
}

interface Shown {
  readonly rows: ReadonlySet<number>
  readonly columns: readonly number[]
}

function shownTable({ table, figures, context: { handle } }: Writing, { rows, columns }: Shown): string {
  const { before, after, names } = table
  const marker = writeMarker('table', {
    rows: rows.size,
    lines: table.rows.length,
    picked: columns.length,
    columns: names.length,
    handle,
  })
  const shown = bodyOf(table, { rows, columns }, handle)
  const about = `Of all ${table.rows.length} rows:`
  return [marker, `${before}${[table.header(columns), ...shown].join('\n')}${after}`, about, ...figures].join('\n')
}

/** The rows in their order, with a marker for each run that is left out. */
function bodyOf(table: DataTable, { rows, columns }: Shown, handle: string): readonly string[] {
  const lines: string[] = []
  for (let row = 0; row < table.rows.length; row++) {
    if (rows.has(row)) {
      lines.push(table.row(row, columns))
      continue
    }
    const start = row
    while (row + 1 < table.rows.length && !rows.has(row + 1)) row++
    const [first, last] = [table.rows[start]?.first ?? 1, table.rows[row]?.last ?? 1]
    lines.push(foldMarker({ first, last, handle }, true))
  }
  return lines
}
