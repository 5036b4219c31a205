import type { FunctionComponent } from 'preact'
import { Artifact } from './artifact.tsx'
import { Artifacts } from './artifacts.tsx'
import { Audit } from './audit.tsx'
import { Budgets } from './budgets.tsx'
import { Failures } from './failures.tsx'
import { Health } from './health.tsx'
import { Keys } from './keys.tsx'
import { Original } from './original.tsx'
import { Overview } from './overview.tsx'
import { Policies, Policy } from './policies.tsx'
import { Request } from './request.tsx'
import { Search } from './search.tsx'
import { Session } from './session.tsx'
import { Sessions } from './sessions.tsx'
import { Tail } from './tail.tsx'
import { Tenant } from './tenant.tsx'
import { Tenants } from './tenants.tsx'
import { Tool } from './tool.tsx'
import { Tools } from './tools.tsx'
import { WhatIf } from './what-if.tsx'

/** Parts of the menu, in its order: what comes through, what models are shown, who may use it and how it runs. */
export const groups = ['Traffic', 'Context', 'Operate'] as const

interface Page {
  /** Below the page's own address. */
  readonly path: string
  readonly page: FunctionComponent
  /** As the menu has it, and in which part; absent where it has none. */
  readonly title?: string
  readonly group?: (typeof groups)[number]
}

/** A new page is a file and a line here. */
export const pages: readonly Page[] = [
  { path: '', group: 'Traffic', title: 'Overview', page: Overview },
  { path: 'sessions', group: 'Traffic', title: 'Sessions', page: Sessions },
  { path: 'sessions/:id', page: Session },
  { path: 'sessions/:id/originals/:handle', page: Original },
  { path: 'requests/:id', page: Request },
  { path: 'failures', group: 'Traffic', title: 'Failures', page: Failures },
  { path: 'tail', group: 'Traffic', title: 'Tail', page: Tail },
  { path: 'tools', group: 'Context', title: 'Tools', page: Tools },
  { path: 'tools/:id', page: Tool },
  { path: 'artifacts', group: 'Context', title: 'Artifacts', page: Artifacts },
  { path: 'artifacts/:task/:step/:name', page: Artifact },
  { path: 'policies', group: 'Context', title: 'Policies', page: Policies },
  { path: 'policies/:id', page: Policy },
  { path: 'what-if', group: 'Context', title: 'What if', page: WhatIf },
  { path: 'keys', group: 'Operate', title: 'Keys', page: Keys },
  { path: 'budgets', group: 'Operate', title: 'Budgets', page: Budgets },
  { path: 'tenants', group: 'Operate', title: 'Tenants', page: Tenants },
  { path: 'tenants/:tenant', page: Tenant },
  { path: 'audit', group: 'Operate', title: 'Audit', page: Audit },
  { path: 'health', group: 'Operate', title: 'Health', page: Health },
  { path: 'search', page: Search },
]
