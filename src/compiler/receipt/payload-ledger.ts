import type { CompileInput, EpochRecord, LedgerMemory, PayloadLedger, PayloadMarkup } from '../../core/index.ts'
import { ledgerSchema } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { Solution } from '../overflow/overflow.ts'
import type { HistoryCut } from '../stages/compress-history.ts'
import { cutKey } from '../stages/held-cut.ts'

export interface HistoryState {
  readonly input: CompileInput
  readonly candidates: readonly Candidate[]
  /** Whether any content may stand twice. */
  readonly repeats: boolean
  readonly history: readonly number[]
  /** Absent where the whole conversation is shown. */
  readonly cut: (HistoryCut & { readonly held: boolean }) | undefined
  /** Of a policy with steps of relief. */
  readonly held?: Solution['held']
  readonly lastTokens: number
  readonly lastOriginalTokens: number
  /** Tokens of the conversation that stand in the pack. */
  readonly historyTokens: number
  readonly memory: readonly LedgerMemory[]
  readonly markup: PayloadMarkup | undefined
}

/** The ledger after a pack. */
export function nextPayloadLedger(state: HistoryState): PayloadLedger {
  const { input, cut, held, lastTokens, lastOriginalTokens } = state
  const { ledger, policy, nowMs } = input
  return {
    schema: ledgerSchema,
    layout: 'payload',
    epoch: epochOf(state).epoch,
    policyId: policy.id,
    ...(cut === undefined ? {} : { cut: { short: keyAt(cut.short, state), whole: keyAt(cut.whole, state) } }),
    ...(state.memory.length > 0 && { memory: state.memory }),
    ...(state.markup && { markup: state.markup }),
    ...(held !== undefined && held.shown.length > 0 && { shown: held.shown }),
    turns: (ledger?.turns ?? 0) + 1,
    ...(nowMs === undefined ? {} : { lastRequestMs: nowMs }),
    lastTokens,
    lastOriginalTokens,
    account: ledger?.account ?? { passThrough: 0, actual: 0 },
    regret: ledger?.regret ?? 0,
    rehydrations: ledger?.rehydrations ?? 0,
  }
}

function keyAt(index: number, { candidates, history, repeats }: HistoryState): string {
  return repeats ? cutKey(index, candidates, history) : (candidates[index]?.contentHash ?? '')
}

/** Why the conversation was cut anew, or not. */
export function epochOf({ input, cut, held, historyTokens }: HistoryState): EpochRecord {
  const { ledger, policy } = input
  const none = { rewriteCost: 0, savingPerTurn: 0, expectedTurns: 0, credit: 0 }
  const epoch = ledger?.epoch ?? 0
  if (ledger === undefined) return { ...none, epoch, decision: 'hold', cause: 'first-request' }
  if (ledger.layout !== 'payload') return { ...none, epoch: epoch + 1, decision: 'begin', cause: 'layout-changed' }
  const isHeld = held === undefined ? cut === undefined || cut.held : held.all && !hasGone(input, held)
  if (isHeld) return { ...none, epoch, decision: 'hold', cause: 'nothing-to-do' }
  const cause = ledger.policyId === policy.id ? 'pressure' : 'policy-changed'
  return { ...none, epoch: epoch + 1, decision: 'begin', cause, rewriteCost: historyTokens }
}

/** What stood shorter before and now stands as it came, or is shorter for the first time, is written anew. */
function hasGone({ ledger }: CompileInput, { shown }: NonNullable<Solution['held']>): boolean {
  const before = ledger?.layout === 'payload' ? (ledger.shown ?? []) : []
  const known = new Set(before.map(({ key }) => key))
  return shown.some(({ key }) => !known.has(key))
}
