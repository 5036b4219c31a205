import type { FunctionComponent } from 'preact'
import { Audit } from './audit.tsx'
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
import { WhatIf } from './what-if.tsx'

interface Page {
  /** Below the page's own address. */
  readonly path: string
  readonly page: FunctionComponent
  /** As the menu has it; absent where it has none. */
  readonly title?: string
}

/** A new page is a file and a line here. */
export const pages: readonly Page[] = [
  { path: '', title: 'Overview', page: Overview },
  { path: 'sessions', title: 'Sessions', page: Sessions },
  { path: 'sessions/:id', page: Session },
  { path: 'sessions/:id/originals/:handle', page: Original },
  { path: 'requests/:id', page: Request },
  { path: 'failures', title: 'Failures', page: Failures },
  { path: 'what-if', title: 'What if', page: WhatIf },
  { path: 'policies', title: 'Policies', page: Policies },
  { path: 'policies/:id', page: Policy },
  { path: 'keys', title: 'Keys', page: Keys },
  { path: 'audit', title: 'Audit', page: Audit },
  { path: 'health', title: 'Health', page: Health },
  { path: 'tail', title: 'Tail', page: Tail },
  { path: 'search', page: Search },
]
