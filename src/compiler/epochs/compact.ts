import type { CompactionRecord, CompactionState } from '../../core/index.ts'
import type { Chosen } from './choose-epoch.ts'
import { chooseCompaction, compactFullWindow } from './compaction.ts'
import type { Compaction } from './compaction.ts'
import { withCompactionStanding } from './compaction-standing.ts'
import { orderedCompaction, promptTokens } from './ordered-compaction.ts'
import { offersNow } from './offers.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { isSummarised } from './summarised.ts'

export interface Compacted {
  /** Absent where nothing is compacted. */
  readonly chosen?: Chosen
  readonly rent?: number | undefined
  readonly state?: CompactionState | undefined
  readonly record?: CompactionRecord
}

/**
 * Compacts a conversation where it was ordered, where its trigger is exceeded or, without a trigger, where the policy's rule says so. A full
 * window is compacted by that rule in any case.
 */
export function compact(given: PlanContext, held: Rendered): Compacted {
  const context = withCompactionStanding(given, held)
  const { ledger } = context.input
  const before = ledger?.layout === 'messages' ? ledger.compacted : undefined
  const ordered = orderedCompaction(context, held, before)
  const byPolicy = context.input.compaction?.trigger === undefined ? chooseCompaction : compactFullWindow
  const done: Compaction = ordered?.chosen === undefined ? byPolicy(context, held) : ordered
  const { chosen, rent, cause } = done
  const seen = ordered === undefined ? before : ordered.state
  if (chosen === undefined || cause === undefined) return { ...(chosen && { chosen }), rent, state: seen }
  const state = { ...seen, count: (seen?.count ?? 0) + 1 }
  return { chosen, rent, state, record: recordOf(context, held, { ...done, chosen, cause, count: state.count }) }
}

interface Done extends Compaction {
  readonly chosen: Chosen
  readonly cause: NonNullable<Compaction['cause']>
  readonly count: number
}

function recordOf(
  context: PlanContext,
  held: Rendered,
  { chosen: { shown, epoch }, cause, count, paidRent = 0 }: Done,
): CompactionRecord {
  const gone = shown.renditions.filter((now, index) => isSummarised(now) && now.text !== held.renditions[index]?.text)
  const handles = new Set(gone.map(({ handle }) => handle))
  const covered = shown.renditions.filter((now) => isSummarised(now) && handles.has(now.handle))
  const briefs = covered.filter(({ rung }) => rung === 'summary')
  const offered = offersNow(context.input, shown) ? (context.input.offerTokens ?? 0) : 0
  const [tokensBefore, tokensAfter] = [promptTokens(context, held), promptTokens(context, shown) + offered]
  const savedPerTurn = context.input.prices.read * (tokensBefore - tokensAfter)
  return {
    cause,
    count,
    tokensBefore,
    tokensAfter,
    briefTokens: briefs.reduce((sum, { tokens }) => sum + tokens, 0),
    items: covered.length,
    handles: [...new Set(briefs.flatMap(({ handle }) => handle ?? []))],
    price: epoch.rewriteCost,
    rent: paidRent,
    ...(savedPerTurn > 0 && { paybackTurns: Math.max(0, Math.ceil(epoch.rewriteCost / savedPerTurn)) }),
  }
}
