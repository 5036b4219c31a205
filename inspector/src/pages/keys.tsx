import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, MadeKey } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { asProblem } from '../api/use-answer.ts'
import { addressOf, home } from '../address.ts'
import { count, money } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty, Problem } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { SureButton } from '../parts/sure-button.tsx'
import { When } from '../parts/when.tsx'
import { limitWords } from './budget-table.tsx'
import { NewKey } from './new-key.tsx'

const most = 1000

export function Keys(): JSX.Element {
  const answer = useAllPages<Key>('/v1/keys', {}, { limit: 200, most })
  const [made, setMade] = useState<MadeKey>()
  const [problem, setProblem] = useState<ApiProblem>()
  const changed = async (change: () => Promise<void>): Promise<void> => {
    setProblem(undefined)
    try {
      await change()
      answer.again()
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  const create = (body: object): void =>
    void changed(async () => setMade(await ask<MadeKey>('/v1/keys', { method: 'POST', body })))
  const revoke = ({ id, tenant }: Key): void =>
    void changed(() => ask(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE', params: { tenant } }))
  return (
    <div class="page">
      <header>
        <Title text="Keys" />
        <p class="quiet">Virtual keys by which clients ask; a token with the scope admin or operator manages them.</p>
      </header>
      {problem && <Problem problem={problem} again={() => setProblem(undefined)} />}
      {made && <Secret made={made} />}
      <Answered answer={answer}>
        {(rows) => (
          <>
            <NewKey onCreate={create} />
            <section class="panel">
              {rows.length === 0 ? (
                <Empty title="There are no keys">
                  <p>
                    The form above makes one, and so does <code>prehend keys create NAME</code>.
                  </p>
                </Empty>
              ) : (
                <SortedTable
                  caption="Keys"
                  columns={[...columns, actions(revoke)]}
                  shownFirst={200}
                  rows={rows}
                  keyOf={({ id }) => id}
                />
              )}
              {rows.length >= most && <p class="inside quiet">These are the newest {count(most)}.</p>}
            </section>
          </>
        )}
      </Answered>
    </div>
  )
}

function Secret({ made }: { readonly made: MadeKey }): JSX.Element {
  return (
    <section class="panel" role="status">
      <header>
        <p>The secret of {made.name} is shown only now. Send it as a token of the gateway.</p>
      </header>
      <p class="inside">
        <code>{made.secret}</code>
      </p>
    </section>
  )
}

const columns: readonly Column<Key>[] = [
  {
    name: 'name',
    title: 'Name',
    cell: ({ name, id }) => (
      <>
        {name} <small class="quiet">{id}</small>
      </>
    ),
    by: ({ name }) => name,
  },
  {
    name: 'tenant',
    title: 'Tenant',
    cell: ({ tenant, team }) => (
      <>
        <a href={addressOf.tenant(tenant)}>{tenant}</a>
        {team !== undefined && `, ${team}`}
      </>
    ),
    by: ({ tenant }) => tenant,
  },
  { name: 'secret', title: 'Secret', cell: ({ prefix }) => <code>{prefix}…</code> },
  {
    name: 'state',
    title: 'State',
    cell: ({ state }) => <span class={`chip ${state === 'active' ? 'good' : 'warn'}`}>{state}</span>,
    by: ({ state }) => state,
  },
  { name: 'scopes', title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  { name: 'models', title: 'Models', cell: ({ allowedModels }) => allowedModels?.join(', ') ?? 'all' },
  {
    name: 'budgets',
    title: 'Budgets',
    cell: (key) => (
      <a href={`${home}budgets?tenant=${encodeURIComponent(key.tenant)}`}>{budgetWords(key.budgets) || 'none'}</a>
    ),
  },
  timeColumn('created', 'Created', ({ createdMs }) => createdMs),
  timeColumn('expires', 'Expires', ({ expiresMs }) => expiresMs),
  timeColumn('used', 'Last used', ({ lastUsedMs }) => lastUsedMs),
]

/** Such as `Dollars a day: $5.00`. */
function budgetWords(budgets: Key['budgets'] = {}): string {
  return Object.entries(budgets)
    .flatMap(([name, limit]) => (typeof limit === 'number' ? [[name, limit] as const] : []))
    .map(([name, limit]) => `${limitWords(name)}: ${name.startsWith('usd') ? money(limit) : count(limit)}`)
    .join(', ')
}

function timeColumn(name: string, title: string, of: (key: Key) => number | undefined): Column<Key> {
  return {
    name,
    title,
    cell: (key) => <When ms={of(key)} />,
    by: (key) => of(key) ?? 0,
  }
}

function actions(revoke: (key: Key) => void): Column<Key> {
  return {
    name: 'actions',
    title: 'Change',
    cell: (key) =>
      key.state === 'active' && (
        <SureButton
          key={key.id}
          label="Revoke"
          sure={`Revoke ${key.name}: it ends at once`}
          onSure={() => revoke(key)}
        />
      ),
  }
}
