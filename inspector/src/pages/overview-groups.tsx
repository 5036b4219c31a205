import type { JSX } from 'preact'
import type { Figures as Sums, Statistics } from '../api/answers.ts'
import type { Answer } from '../api/use-answer.ts'
import { count, milliseconds, money, percent, tokens } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'

type Row = Statistics['data'][number]

interface GroupsProps {
  readonly title: string
  /** A sentence under the title. */
  readonly about?: string
  /** Of the column of names. */
  readonly head: string
  readonly answer: Answer<Statistics>
  readonly nameOf: (row: Row) => string | undefined
}

/** The same figures, a row for each model, policy or tenant. */
export function Groups({ title, about, head, answer, nameOf }: GroupsProps): JSX.Element | null {
  if ((answer.data?.data.length ?? 0) === 0) return null
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </header>
      <Answered answer={answer}>
        {({ data }) => (
          <SortedTable
            caption={title}
            orderName={`sort-${head.toLowerCase()}`}
            columns={[
              { name: 'name', title: head, cell: (row) => nameOf(row), by: (row) => nameOf(row) ?? '' },
              ...sums,
              ...(data.some(({ figures }) => figures.wouldSaveShare !== null) ? [wouldSave] : []),
            ]}
            rows={data}
            keyOf={(row) => nameOf(row) ?? ''}
          />
        )}
      </Answered>
    </section>
  )
}

const sumColumn = (
  name: string,
  title: string,
  by: (sums: Sums) => number,
  cell: (sums: Sums) => string,
): Column<Row> => ({
  name,
  title,
  isNumber: true,
  cell: ({ figures }) => cell(figures),
  by: ({ figures }) => by(figures),
})

const wouldSave = sumColumn(
  'would',
  'Would save, about',
  (each) => each.wouldSaveUsd,
  (each) => (each.wouldSaveShare === null ? '' : `${money(each.wouldSaveUsd)} (${percent(each.wouldSaveShare)})`),
)

const sums: readonly Column<Row>[] = [
  sumColumn(
    'requests',
    'Requests',
    (each) => each.requests,
    (each) => count(each.requests),
  ),
  sumColumn(
    'errors',
    'Failed',
    (each) => each.errors,
    (each) => (each.errors === 0 ? '' : count(each.errors)),
  ),
  sumColumn(
    'input',
    'Input tokens',
    (each) => each.inputTokens,
    (each) => tokens(each.inputTokens),
  ),
  sumColumn(
    'cached',
    'Cached',
    (each) => each.cachedShare ?? 0,
    (each) => percent(each.cachedShare),
  ),
  sumColumn(
    'spent',
    'Spent',
    (each) => each.usd,
    (each) => (each.priced === 0 ? 'n/a' : money(each.usd)),
  ),
  sumColumn(
    'saved',
    'Saved',
    (each) => each.savedUsd,
    (each) => (each.priced === 0 ? 'n/a' : `${money(each.savedUsd)} (${percent(each.savedShare)})`),
  ),
  sumColumn(
    'marks',
    'By cache marks',
    (each) => each.savedByMarksUsd,
    (each) => (each.priced === 0 ? 'n/a' : money(each.savedByMarksUsd)),
  ),
  sumColumn(
    'packing',
    'By packing',
    (each) => each.savedByPackingUsd,
    (each) => (each.priced === 0 ? 'n/a' : money(each.savedByPackingUsd)),
  ),
  sumColumn(
    'latency',
    'Own latency p95',
    (each) => each.overheadMs.p95 ?? 0,
    (each) => milliseconds(each.overheadMs.p95),
  ),
]
