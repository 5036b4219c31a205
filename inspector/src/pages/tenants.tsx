import { useLocation } from 'preact-iso'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { BudgetStanding } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

interface TenantRow {
  readonly tenant: string
  readonly sessions: number
  readonly receipts: number
}

/** Everybody of whom the store keeps something; for whoever is no operator, their own tenant. */
export function Tenants(): JSX.Element {
  const answer = useAnswer<{ readonly data: readonly TenantRow[] }>('/v1/tenants')
  const isRefused = answer.problem?.status === 403
  return (
    <div class="page">
      <header>
        <Title text="Tenants" />
        <p class="quiet">Settings, budgets and keys for providers of each tenant; an operator sees all.</p>
      </header>
      {isRefused ? (
        <OwnTenant />
      ) : (
        <Answered answer={answer}>
          {({ data }) => (
            <>
              <OpenTenant />
              <section class="panel">
                {data.length === 0 ? (
                  <Empty title="No tenant has anything here yet">
                    <p>A tenant exists as soon as a token or a key names it:</p>
                    <pre>{`prehend keys create "build server" --tenant acme --url ${window.location.origin}`}</pre>
                  </Empty>
                ) : (
                  <SortedTable
                    caption="Tenants"
                    columns={columns}
                    rows={data}
                    shownFirst={200}
                    keyOf={({ tenant }) => tenant}
                  />
                )}
              </section>
            </>
          )}
        </Answered>
      )}
    </div>
  )
}

/** The budgets of whoever asks tell which tenant that is. */
function OwnTenant(): JSX.Element {
  const answer = useAnswer<BudgetStanding>('/v1/budgets')
  return (
    <Answered answer={answer}>
      {({ tenant }) => (
        <section class="panel">
          <Empty title="The list takes the scope operator">
            <p>
              Your own tenant is <a href={addressOf.tenant(tenant)}>{tenant}</a>.
            </p>
          </Empty>
        </section>
      )}
    </Answered>
  )
}

/** A tenant that a configuration names may have nothing in the store yet. */
function OpenTenant(): JSX.Element {
  const { route } = useLocation()
  const [name, setName] = useState('')
  const open = (event: Event): void => {
    event.preventDefault()
    route(addressOf.tenant(name.trim()))
  }
  return (
    <section class="panel">
      <form class="inside fields" onSubmit={open}>
        <label>
          Another tenant
          <input
            value={name}
            placeholder="its name"
            spellcheck={false}
            autoComplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={name.trim() === ''}>
          Open
        </button>
      </form>
    </section>
  )
}

const columns: readonly Column<TenantRow>[] = [
  {
    name: 'tenant',
    title: 'Tenant',
    cell: ({ tenant }) => <a href={addressOf.tenant(tenant)}>{tenant}</a>,
    by: ({ tenant }) => tenant,
  },
  {
    name: 'sessions',
    title: 'Sessions',
    isNumber: true,
    cell: (row) => count(row.sessions),
    by: (row) => row.sessions,
  },
  {
    name: 'requests',
    title: 'Requests',
    isNumber: true,
    cell: (row) => count(row.receipts),
    by: (row) => row.receipts,
  },
]
