import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import type { BudgetStanding } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { BudgetTable } from './budget-table.tsx'

/** The limits of a tenant, its teams and its keys, and what is left of them. */
export function Budgets(): JSX.Element {
  const { query, set } = useAddress()
  const { tenant } = query
  const answer = useAnswer<BudgetStanding>('/v1/budgets', tenant === undefined ? { by: 'tenant' } : { tenant })
  return (
    <div class="page">
      <header>
        <Title text="Budgets" />
        <p class="quiet">What a tenant, its teams and its keys may spend, and what is left of it.</p>
        <div class="end">
          <label>
            <span class="hidden-label">Tenant</span>
            <input
              type="search"
              placeholder="tenant: all that you may see"
              title="Another tenant takes the scope operator."
              value={tenant ?? ''}
              onChange={(event) => set({ tenant: event.currentTarget.value.trim() })}
            />
          </label>
          <button type="button" onClick={answer.again}>
            Look again
          </button>
        </div>
      </header>
      <Answered answer={answer}>
        {(standing) => {
          const { tenants = [] } = standing
          const shown = tenants.length > 0 ? tenants : [standing]
          return (
            <>
              {shown.map((each) => (
                <OfTenant key={each.tenant} standing={each} />
              ))}
            </>
          )
        }}
      </Answered>
    </div>
  )
}

function OfTenant({ standing }: { readonly standing: BudgetStanding }): JSX.Element {
  return (
    <section class="panel">
      <header>
        <h2>{standing.tenant}</h2>
        <p>Days and months are UTC. Reserved is what requests under way may still come to.</p>
      </header>
      <BudgetTable standing={standing} />
    </section>
  )
}
