import type { Lane } from './lane.ts'
import type { Branch } from './live-state.ts'
import type { TenantTools } from './catalogue/tenant-tools.ts'
import type { TenantAccounts } from './cost/tenant-accounts.ts'
import type { SessionParts } from './session-parts.ts'
import { withinDeadline } from './within-deadline.ts'

export interface SessionHost {
  readonly parts: SessionParts
  readonly lane: Lane
  readonly accounts: TenantAccounts
  readonly clientTools: TenantTools
  /** Called when a state has changed. */
  readonly changed: () => void
}

export async function branchesOf({ lane, parts }: SessionHost): Promise<readonly Branch[]> {
  const found = lane.branches()
  return found instanceof Promise ? withinDeadline(found, parts.limits.stageMs) : found
}

/** Tries to commit to a session that another process may be committing to. */
export interface Tries {
  count(): number
  /** Whether there is one more. */
  again(): boolean
}

/** Two processes that serve one session at once take turns by chance. */
export const mostTries = 16

/** Whatever the clocks say. */
const mostInAll = 1000

/**
 * A process whose requests follow each other without a pause knows the session's state, and is faster than one that has to read it: until it has
 * no more, the other one tries for as long as a stage may take.
 */
export function conflictTries({ stopwatch, limits }: SessionParts): Tries {
  const startedMs = stopwatch()
  let count = 1
  return {
    count: () => count,
    again() {
      count += 1
      if (count <= mostTries) return true
      return count <= mostInAll && stopwatch() - startedMs < limits.stageMs
    },
  }
}
