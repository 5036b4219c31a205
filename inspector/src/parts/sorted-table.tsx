import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import { count } from '../format.ts'
import { termMeaning } from '../glossary.ts'

export interface Column<Row> {
  /** In the address. */
  readonly name: string
  readonly title: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** What the table is sorted by; a column without it cannot be sorted. */
  readonly by?: (row: Row) => number | string
}

export interface SortedTableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Name of the query's part that holds the order. */
  readonly orderName?: string
  /** More rows than these are shown when somebody asks for them. */
  readonly shownFirst?: number
}

/** A table that its heads sort; the order stands in the address. */
export function SortedTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  orderName = 'sort',
  shownFirst = 500,
}: SortedTableProps<Row>): JSX.Element {
  const [isWhole, setIsWhole] = useState(false)
  const { query } = useAddress()
  const order = query[orderName] ?? ''
  const isDown = order.startsWith('-')
  const column = columns.find(({ name }) => name === order.replace(/^-/, ''))
  const sorted = column?.by ? rows.toSorted(comparison(column.by, isDown)) : rows
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hidden-label">{caption}</caption>
        <Heads columns={columns} column={column} isDown={isDown} orderName={orderName} />
        <tbody>
          {(isWhole ? sorted : sorted.slice(0, shownFirst)).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((each) => (
                <td key={each.name} class={each.isNumber ? 'number' : undefined}>
                  {each.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && rows.length > shownFirst && (
        <button type="button" class="plain more" onClick={() => setIsWhole(true)}>
          Show all {count(rows.length)} rows
        </button>
      )}
    </div>
  )
}

interface HeadsProps<Row> extends Required<Pick<SortedTableProps<Row>, 'columns' | 'orderName'>> {
  /** The one that it is sorted by. */
  readonly column: Column<Row> | undefined
  readonly isDown: boolean
}

function Heads<Row>({ columns, column, isDown, orderName }: HeadsProps<Row>): JSX.Element {
  const { query, withQuery } = useAddress()
  const order = query[orderName] ?? ''
  const linkOf = ({ name, isNumber = false }: Column<Row>): string => {
    const first = isNumber ? `-${name}` : name
    const second = isNumber ? name : `-${name}`
    return withQuery({ [orderName]: order === first ? second : order === second ? undefined : first })
  }
  return (
    <thead>
      <tr>
        {columns.map((each) => (
          <th
            key={each.name}
            scope="col"
            class={each.isNumber ? 'number' : undefined}
            title={termMeaning(each.title)}
            aria-sort={each === column ? (isDown ? 'descending' : 'ascending') : undefined}
          >
            {each.by ? (
              <a class="sort" href={linkOf(each)}>
                {each.title}
                {each === column ? (isDown ? ' ↓' : ' ↑') : ''}
              </a>
            ) : (
              each.title
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function comparison<Row>(by: (row: Row) => number | string, isDown: boolean): (a: Row, b: Row) => number {
  return (a, b) => {
    const [one, other] = isDown ? [by(b), by(a)] : [by(a), by(b)]
    return one === other ? 0 : one < other ? -1 : 1
  }
}
