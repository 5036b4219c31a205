import type { JSX } from 'preact'
import type { BudgetStanding } from '../api/answers.ts'
import { count, money, percent } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Empty } from '../parts/states.tsx'
import { When } from '../parts/when.tsx'

type Limit = BudgetStanding['data'][number]

/** Below this share that is left, requests are packed with the overrides of `cost-first`. */
const scarce = 0.2

/** Each limit of a tenant, the scarcest marked. */
export function BudgetTable({ standing }: { readonly standing: BudgetStanding }): JSX.Element {
  const { tenant, data } = standing
  if (data.length === 0)
    return (
      <Empty title="Nothing limits what this tenant spends">
        <p>Limit it for all its requests while the gateway runs, or for one key only:</p>
        <pre>{`echo '{"budgets": {"usdPerDay": 20}}' > settings.json
prehend tenants set ${tenant} settings.json --url ${location.origin}
prehend keys create agent --tenant ${tenant} --budget usdPerDay=5 --url ${location.origin}`}</pre>
      </Empty>
    )
  return (
    <SortedTable
      caption="Budgets"
      columns={columns}
      rows={data}
      keyOf={({ scope, name, limit }) => `${scope} ${name} ${limit}`}
    />
  )
}

const limits: Readonly<Record<Limit['limit'], string>> = {
  usdPerDay: 'Dollars a day',
  usdPerMonth: 'Dollars a month',
  tokensPerDay: 'Tokens a day',
  tokensPerMonth: 'Tokens a month',
  tokensPerMinute: 'Tokens a minute',
  requestsPerDay: 'Requests a day',
  requestsPerMonth: 'Requests a month',
  requestsPerMinute: 'Requests a minute',
  concurrentStreams: 'Streams at once',
}

export const limitWords = (limit: string): string => (limits as Readonly<Record<string, string>>)[limit] ?? limit

const leftOf = ({ left, most }: Limit): number => (most === 0 ? 0 : left / most)

const columns: readonly Column<Limit>[] = [
  {
    name: 'whose',
    title: 'Whose',
    cell: ({ scope, name }) => (name === null ? 'the tenant' : `${scope} ${name}`),
    by: ({ scope, name }) => `${scope} ${name ?? ''}`,
  },
  {
    name: 'limit',
    title: 'Limit',
    cell: ({ limit }) => <span title={limit}>{limitWords(limit)}</span>,
    by: ({ limit }) => limitWords(limit),
  },
  { name: 'share', title: 'Share left', cell: (row) => <Left row={row} />, by: leftOf },
  amountColumn('left', 'Left', ({ left }) => left),
  amountColumn('most', 'Most', ({ most }) => most),
  amountColumn('spent', 'Spent', ({ spent }) => spent),
  amountColumn('reserved', 'Reserved', ({ reserved }) => reserved),
  {
    name: 'resets',
    title: 'Begins anew',
    cell: ({ resetsMs }) => (resetsMs === null ? '' : <When ms={resetsMs} />),
    by: ({ resetsMs }) => resetsMs ?? 0,
  },
]

function amountColumn(name: string, title: string, of: (row: Limit) => number): Column<Limit> {
  return {
    name,
    title,
    isNumber: true,
    cell: (row) => (row.unit === 'usd' ? money(of(row)) : count(of(row))),
    by: of,
  }
}

function Left({ row }: { readonly row: Limit }): JSX.Element {
  const share = leftOf(row)
  const isScarce = share < scarce
  return (
    <span class="budget-left">
      <span class="meter" aria-hidden="true">
        <i class={isScarce ? 'bad' : undefined} style={{ width: `${share * 100}%` }} />
      </span>
      {percent(share)}
      {isScarce && <span class="chip bad">{share === 0 ? 'used up' : 'scarce'}</span>}
    </span>
  )
}
