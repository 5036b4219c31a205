import type { Lane } from './lane.ts'
import type { Branch } from './live-state.ts'
import type { TenantAccounts } from './cost/tenant-accounts.ts'
import type { SessionParts } from './session-parts.ts'
import { withinDeadline } from './within-deadline.ts'

export interface SessionHost {
  readonly parts: SessionParts
  readonly lane: Lane
  readonly accounts: TenantAccounts
  /** Called when a state has changed. */
  readonly changed: () => void
}

export async function branchesOf({ lane, parts }: SessionHost): Promise<readonly Branch[]> {
  const found = lane.branches()
  return found instanceof Promise ? withinDeadline(found, parts.limits.stageMs) : found
}

/** Times that a decision is made again because somebody else was faster: two gateways that serve one session at once take turns by chance. */
export const mostTries = 16
