import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { addressOf, home, useAddress } from '../address.ts'
import type { PolicyExplained, PolicyList } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

type PolicyHead = PolicyList['data'][number]
type PolicyValue = PolicyExplained['values'][number]

export function Policies(): JSX.Element {
  const answer = useAnswer<PolicyList>('/v1/policies')
  return (
    <div class="page">
      <header>
        <Title text="Policies" />
        <p class="quiet">What a request may ask for by name; open one to see where each of its figures comes from.</p>
      </header>
      <Answered answer={answer}>
        {({ data, usual }) => (
          <section class="panel">
            <SortedTable caption="Policies" columns={columns(usual)} rows={data} keyOf={({ id }) => id} />
          </section>
        )}
      </Answered>
    </div>
  )
}

const columns = (usual: string | undefined): readonly Column<PolicyHead>[] => [
  {
    name: 'id',
    title: 'Policy',
    cell: ({ id }) => (
      <>
        <a href={addressOf.policy(id)}>{id}</a> {id === usual && <span class="chip good">the default here</span>}
      </>
    ),
    by: ({ id }) => id,
  },
  { name: 'about', title: 'What it does', cell: ({ about }) => about },
  {
    name: 'version',
    title: 'Version',
    cell: ({ version, revision }) => (revision > 0 ? `${version}, revision ${revision}` : version),
  },
]

export function Policy(): JSX.Element {
  const { params } = useRoute()
  const { query, set } = useAddress()
  const id = params['id'] ?? ''
  const answer = useAnswer<PolicyExplained>(`/v1/policies/${encodeURIComponent(id)}`)
  const wanted = query['value'] ?? ''
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}policies`}>Policies</a>
        </p>
        <Title text={id} />
        <div class="end">
          <label>
            <span class="hidden-label">Only values whose name has</span>
            <input
              type="search"
              placeholder="name of a value"
              value={wanted}
              onInput={(event) => set({ value: event.currentTarget.value })}
            />
          </label>
        </div>
      </header>
      <Answered answer={answer}>
        {({ values, overrides }) => (
          <section class="panel">
            {overrides.length > 0 && (
              <header>
                <p>Overrides that hold: {overrides.join(', ')}</p>
              </header>
            )}
            <SortedTable
              caption={`Values of ${id}`}
              columns={valueColumns}
              rows={values.filter(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()))}
              keyOf={({ path }) => path}
            />
          </section>
        )}
      </Answered>
    </div>
  )
}

const valueColumns: readonly Column<PolicyValue>[] = [
  { name: 'path', title: 'Value', cell: ({ path }) => <code>{path}</code>, by: ({ path }) => path },
  { name: 'is', title: 'Is', isNumber: true, cell: ({ value }) => <code>{JSON.stringify(value)}</code> },
  {
    name: 'from',
    title: 'Comes from',
    cell: ({ from }) => <span class={from === 'base' || from === 'default' ? 'quiet' : 'chip good'}>{from}</span>,
    by: ({ from }) => from,
  },
]
