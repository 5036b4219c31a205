import type { CompactionConfig, CompactionOrder, Ledger, SessionRecord } from '../../core/index.ts'
import { isBranchOf } from '../branches.ts'

/** How a session is to be compacted, as its tenant and as one of its requests has it. */
export interface AskedCompaction {
  readonly ofTenant: CompactionConfig
  readonly ofRequest?: CompactionConfig | undefined
}

export interface OrderOf {
  readonly record: SessionRecord | undefined
  readonly asked: AskedCompaction | undefined
  /** The conversation, and what was decided of it. */
  readonly lane: string
  readonly ledger: Ledger | undefined
}

/** What holds for a request: its own words before those of its session, and those before its tenant's. */
export function compactionConfig({ record, asked }: Pick<OrderOf, 'record' | 'asked'>): CompactionConfig {
  return { ...asked?.ofTenant, ...record?.compaction, ...asked?.ofRequest }
}

/** What the compile of a request is told; undefined where the policy decides alone. */
export function compactionOrder(of: OrderOf): CompactionOrder | undefined {
  const config = compactionConfig(of)
  const due = dueOrder(of)
  const { preserveRecent, summaryBudget } = { ...config, ...due }
  const trigger = config.strategy === 'handoff' && config.trigger ? ({ type: 'manual' } as const) : config.trigger
  if (due === undefined && trigger === undefined) return undefined
  return {
    ...(trigger && { trigger }),
    ...(preserveRecent !== undefined && { preserveRecent }),
    ...(summaryBudget !== undefined && { summaryBudget }),
    ...(due && { now: due.name }),
  }
}

/** An order for this conversation that was not carried out yet. */
function dueOrder({ record, lane, ledger }: OrderOf): SessionRecord['order'] {
  const order = record?.order
  if (order === undefined || !isBranchOf(lane, { tenant: '', session: '', lane: order.lane })) return undefined
  const done = ledger?.layout === 'messages' ? ledger.compacted?.order : undefined
  return done === order.name ? undefined : order
}
