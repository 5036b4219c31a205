import type { CompactionState, ConversationLedger, LedgerEntry } from '../../core/index.ts'
import { isSummarised } from './summarised.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'

type Counted = Pick<ConversationLedger, 'entries' | 'rent' | 'compacted'>

/**
 * Rent and count of compactions, of the part of a conversation that still stands. A conversation that goes another way from before its
 * brief on was compacted elsewhere: its old steps are shown again, and their rent begins anew.
 */
export function compactionStanding<Of extends Counted>(
  ledger: Of,
  stands: (entry: LedgerEntry, index: number) => boolean,
): Of {
  const { entries, rent, compacted } = ledger
  if (rent === undefined && compacted === undefined) return ledger
  const standing = entries.filter(stands)
  if (standing.length === entries.length) return ledger
  const [briefs, before] = [standing.filter(isBrief).length, entries.filter(isBrief).length]
  const isLost = briefs === 0 && before > 0
  const { rent: _rent, compacted: _compacted, ...rest } = ledger
  const state = compacted && (briefs < before ? fewerCompactions(compacted, briefs) : compacted)
  return {
    ...(rest as Of),
    ...(rent !== undefined && { rent: isLost ? 0 : rent * (tokensOf(standing) / Math.max(1, tokensOf(entries))) }),
    ...(state && { compacted: state }),
  }
}

function fewerCompactions({ count, order, fired }: CompactionState, briefs: number): CompactionState | undefined {
  const fewer = Math.min(count, briefs)
  if (fewer > 0) return { count: fewer, ...(order !== undefined && { order }), ...(fired === true && { fired }) }
  return order === undefined ? undefined : { count: 0, order }
}

function isBrief({ rung }: LedgerEntry): boolean {
  return rung === 'summary'
}

/** Tokens of what is shown as steps: these cause the rent. */
function tokensOf(entries: readonly LedgerEntry[]): number {
  return entries.reduce((sum, { rung, tokens }) => (isSummarised({ rung }) ? sum : sum + tokens), 0)
}

/** The ledger of a request as it holds for what the request still shows of the last one. */
export function withCompactionStanding(context: PlanContext, { renditions }: Rendered): PlanContext {
  const { input, view } = context
  const { ledger } = input
  if (ledger?.layout !== 'messages' || (!view.diverged && !view.reopened)) return context
  const keys = new Set(view.keys)
  const handles = new Set(renditions.flatMap(({ rung, handle }) => (isSummarised({ rung }) ? (handle ?? []) : [])))
  const standing = compactionStanding(ledger, ({ key, rung, handle }) =>
    isSummarised({ rung }) && handle !== undefined ? handles.has(handle) : keys.has(key),
  )
  return standing === ledger ? context : { ...context, input: { ...input, ledger: standing } }
}
