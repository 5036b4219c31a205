import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { home } from '../address.ts'
import type { BudgetStanding, TenantSettings } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { BudgetTable } from './budget-table.tsx'
import { ProviderKeys } from './tenant-provider-keys.tsx'
import { Settings } from './tenant-settings.tsx'

/** One tenant: its settings, what it may spend, and its keys for providers. */
export function Tenant(): JSX.Element {
  const { params } = useRoute()
  const tenant = params['tenant'] ?? ''
  const path = `/v1/tenants/${encodeURIComponent(tenant)}/settings`
  const settings = useAnswer<TenantSettings>(path)
  const budgets = useAnswer<BudgetStanding>('/v1/budgets', { tenant })
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}tenants`}>Tenants</a>
        </p>
        <Title text={tenant} />
      </header>
      <Answered answer={settings}>
        {(told) => (
          <Settings
            // What was typed belongs to the revision that it was typed into.
            key={told.revision}
            told={told}
            path={path}
            changed={() => {
              settings.again()
              budgets.again()
            }}
          />
        )}
      </Answered>
      <Answered answer={budgets}>
        {(standing) => (
          <section class="panel">
            <header>
              <h2>Budgets</h2>
              <p>Of the tenant, its teams and its keys.</p>
            </header>
            <BudgetTable standing={standing} />
          </section>
        )}
      </Answered>
      <ProviderKeys tenant={tenant} />
    </div>
  )
}
