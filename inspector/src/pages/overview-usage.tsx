import type { JSX } from 'preact'
import { addressOf, home } from '../address.ts'
import type { TokenUsage } from '../api/answers.ts'
import type { Answer } from '../api/use-answer.ts'
import { count, money, percent, tokens } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Waiting } from '../parts/states.tsx'
import { Drift } from './overview-drift.tsx'
import { Treemap } from './overview-treemap.tsx'

/** Where the tokens of the newest requests went: by what they are, and which items took most. */
export function Usage({ answer }: { readonly answer: Answer<TokenUsage> }): JSX.Element | null {
  const usage = answer.data
  if (usage === undefined) return answer.isWaiting ? <Adding /> : null
  if (usage.carried === 0) return null
  const { requests, whole, groups, items } = usage
  return (
    <section class="panel">
      <header>
        <h2>Where the tokens go</h2>
        <p>
          {tokens(usage.carried)} tokens in {whole ? '' : 'the newest '}
          {count(requests)} requests, as sent: an item counts once for every request that carried it. Dollars are shares
          of what those requests cost.
        </p>
      </header>
      <Treemap usage={usage} />
      <SortedTable
        caption="Tokens by what they are"
        orderName="sort-kind"
        columns={groupColumns(usage.carried)}
        rows={groups}
        keyOf={({ group }) => group}
      />
      <Drift drift={usage.drift} groups={groups} />
      <h3 class="inside">Items that took most</h3>
      <SortedTable
        caption="Items that took most"
        orderName="sort-item"
        columns={itemColumns}
        rows={items.slice(0, listed)}
        keyOf={({ session, itemId }) => `${session} ${itemId}`}
      />
    </section>
  )
}

/** The texts of up to 200 requests are read: seconds for the first answer of a large store. */
function Adding(): JSX.Element {
  return (
    <section class="panel">
      <header>
        <h2>Where the tokens go</h2>
        <Waiting text="Adding up the newest requests …" />
      </header>
    </section>
  )
}

/** The treemap shows more. */
const listed = 10

type Group = TokenUsage['groups'][number]
type Item = TokenUsage['items'][number]

function groupColumns(all: number): readonly Column<Group>[] {
  return [
    { name: 'group', title: 'What', cell: ({ group }) => group, by: ({ group }) => group },
    {
      name: 'share',
      title: 'Share',
      cell: ({ carried }) => (
        <span class="usage-bar">
          <i style={{ width: `${(carried / all) * 100}%` }} aria-hidden="true" />
          {percent(carried / all)}
        </span>
      ),
      by: ({ carried }) => carried,
    },
    {
      name: 'carried',
      title: 'Tokens',
      isNumber: true,
      cell: ({ carried }) => tokens(carried),
      by: ({ carried }) => carried,
    },
    {
      name: 'usd',
      title: 'Cost',
      isNumber: true,
      cell: ({ usd }) => money(usd ?? undefined),
      by: ({ usd }) => usd ?? -1,
    },
  ]
}

const itemColumns: readonly Column<Item>[] = [
  {
    name: 'item',
    title: 'Item',
    cell: ({ requestId, itemId, name, group }) => (
      <a href={addressOf.item(requestId, itemId)} title={itemId}>
        {name}
        {!group.startsWith('results of') && <small class="quiet"> {group}</small>}
      </a>
    ),
    by: ({ name }) => name,
  },
  { name: 'size', title: 'Size', isNumber: true, cell: (row) => count(row.tokens), by: (row) => row.tokens },
  {
    name: 'requests',
    title: 'Requests',
    isNumber: true,
    cell: (row) => count(row.requests),
    by: (row) => row.requests,
  },
  { name: 'carried', title: 'Tokens', isNumber: true, cell: (row) => tokens(row.carried), by: (row) => row.carried },
  {
    name: 'usd',
    title: 'Cost',
    isNumber: true,
    cell: ({ usd }) => money(usd ?? undefined),
    by: ({ usd }) => usd ?? -1,
  },
  {
    name: 'change',
    title: 'Change it',
    cell: ({ requestId, group }) => <Change requestId={requestId} group={group} />,
  },
]

interface ChangeProps {
  readonly requestId: string
  readonly group: string
}

/** The policy that shortens most. */
const thrift = 'thrifty'

/** Where one sees what would make an item smaller: its request by another policy, or the tools that nobody calls. */
function Change({ requestId, group }: ChangeProps): JSX.Element {
  if (group === 'tool definitions') return <a href={`${home}tools`}>tools that are not called</a>
  return <a href={addressOf.compared(requestId, thrift)}>with {thrift}</a>
}
