import { entriesOf, ledgerSince } from '../compiler/index.ts'
import type { HiddenTurn, Item, SaidBefore } from '../core/index.ts'
import { liveState, storedState } from './live-state.ts'
import type { LiveState } from './live-state.ts'
import { isConflict } from './is-conflict.ts'
import { branchesOf, conflictTries } from './session-host.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionTurn } from './session-turn.ts'
import { timely } from './within-deadline.ts'

/** What was hidden in a reply, and how many of its calls brought back what had been left out. */
export interface Hidden {
  readonly turn: HiddenTurn | undefined
  readonly rehydrations: number
  /** What of it went upstream behind the turn's request. */
  readonly sent: readonly Item[]
  /** The names of its replies that the provider keeps: the next request may go on from any of them. */
  readonly kept: readonly string[]
}

export async function filed(host: SessionHost, turn: SessionTurn, hidden: Hidden): Promise<void> {
  const { parts, lane, changed } = host
  const { scope, received } = turn
  const nowMs = parts.clock()
  const tries = conflictTries(parts)
  for (;;) {
    const branches = await branchesOf(host)
    const known = branches.find((branch) => branch.scope.lane === scope.lane)
    const before = known?.state ?? liveState(await parts.store.read('sessions').get(scope))
    const state = withHidden(sentSince(before, turn, { hidden, nowMs }), hidden, before.saidBefore(received).end)
    const { version: expectVersion, ...changes } = storedState(state)
    const work = parts.store.commit({ scope, nowMs, expectVersion, writes: [{ table: 'sessions', ...changes }] })
    const outcome = await timely(work, parts.limits.stageMs)
    if (outcome.kind === 'done') lane.put({ scope, state: { ...state, version: expectVersion + 1 } })
    else if (outcome.kind === 'failed' && !isConflict(outcome.error)) lane.put({ scope, state })
    else lane.doubt()
    changed()
    if (outcome.kind === 'done') return
    if (!isConflict(outcome.error) || !tries.again()) throw outcome.error
  }
}

/** What went upstream in hidden rounds was sent like any other request, as long as no other has come since. */
function sentSince(
  state: LiveState,
  { exchange, after }: SessionTurn,
  { hidden: { sent }, nowMs }: { readonly hidden: Hidden; readonly nowMs: number },
): LiveState {
  const { ledger, memory } = state
  const { items } = exchange.conversation
  if (sent.length === 0 || ledger?.turns !== after.ledger?.turns || entriesOf(ledger).length !== items.length)
    return state
  const keys = memory.keysOf([...items, ...sent]).slice(items.length)
  return {
    ...state,
    requestItems: items.length,
    ...(ledger && { ledger: ledgerSince(ledger, { items: sent, keys, nowMs }) }),
  }
}

function withHidden(
  { ledger, ...state }: LiveState,
  { turn, rehydrations }: Hidden,
  saidBefore: SaidBefore,
): LiveState {
  return {
    ...state,
    ...(ledger && {
      ledger: rehydrations === 0 ? ledger : { ...ledger, rehydrations: ledger.rehydrations + rehydrations },
    }),
    overlay: turn ? [...state.overlay, { kind: 'hidden-turn', turn, saidBefore }] : state.overlay,
  }
}
