import type { Usage } from '../core/index.ts'
import type { ReceiptResult, TenantAccountChange, Unit, Write } from '../stores/index.ts'
import { answeredChange, decidedChange, isBilled, refusedChange } from './cost/account-changes.ts'
import type { LiveState } from './live-state.ts'
import { receiptOf } from './receipt-of.ts'
import { isConflict } from './is-conflict.ts'
import { branchesOf } from './session-host.ts'
import type { SessionHost } from './session-host.ts'
import { partsFor } from './session-parts.ts'
import type { SessionParts } from './session-parts.ts'
import type { SessionTurn } from './session-turn.ts'
import { turnWrite } from './turn-log.ts'
import { timely } from './within-deadline.ts'

/**
 * Files what was decided, and gives the branch as it is then; what cannot be filed goes on without, where nothing depends on it. A request waits for it: what it shows must be what the session
 * is known by, and what a pointer stands for must be there whatever happens next.
 */
export async function stored(
  host: SessionHost,
  turn: SessionTurn,
): Promise<Pick<SessionTurn, 'after' | 'isFiled'> | 'conflict'> {
  const { parts, lane, accounts } = host
  const { scope, before, after, encoded, requestId } = turn
  const change = decidedChange(turn)
  const committing = parts.store.commit(unitOf(parts, turn, change))
  const outcome = await timely(committing, parts.limits.stageMs)
  if (outcome.kind === 'done') {
    const handles = withStored(after.handles, encoded)
    const { unfiled: _filed, ...now } = after
    const state = { ...now, version: before.version + 1, handles, isUnsaved: false }
    if (change) accounts.add(scope.tenant, change)
    lane.put({ scope, state })
    return { after: state, isFiled: true }
  }
  if (isConflict(outcome.error)) return 'conflict'
  // What came too late may yet be written; what failed was not.
  if (outcome.kind === 'late') lane.doubt()
  if (encoded && encoded.originals.length > 0) {
    if (outcome.kind === 'late') withdrawn(host, turn, committing)
    throw outcome.error
  }
  parts.watch.failed('store', outcome.error, requestId)
  if (outcome.kind === 'failed')
    lane.put({ scope, state: { ...after, isUnsaved: true, ...(change && { unfiled: change }) } })
  return { after, isFiled: false }
}

/** Takes back a decision that was stored after all when its request had gone as it came. */
function withdrawn(host: SessionHost, turn: SessionTurn, committing: Promise<void>): void {
  const { parts, lane } = host
  const { requestId, before, after } = turn
  const result = { status: 0, rehydrations: 0, upstreamMs: 0, overheadMs: 0, skipped: ['store'] }
  const late = { ...turn, after: { ...after, version: before.version + 1 } }
  void committing.then(
    () =>
      lane.turns
        .run(() => takenBack(host, late, { requestId, result }))
        .catch((error: unknown) => parts.watch.failed('store', error, requestId)),
    () => undefined,
  )
}

function unitOf(parts: SessionParts, turn: SessionTurn, account: TenantAccountChange | undefined): Unit {
  const { scope, before, after, encoded, input } = turn
  const isNew = before.version === 0 || before.isUnsaved === true
  const { originals = [], madeWrites = [] } = encoded ?? {}
  const { recordsContent } = partsFor(parts, scope.tenant)
  const writes: Write[] = [
    // It holds the ledger that went in, so it stands before the one that came out.
    { table: 'receipts', receipt: receiptOf(turn, recordsContent) },
    turnWrite(turn, recordsContent),
    {
      table: 'sessions',
      ...(after.ledger && { ledger: after.ledger }),
      ...((isNew || after.offeredTools !== before.offeredTools) && { offeredTools: after.offeredTools }),
      ...((isNew ? after.overlay.length > 0 : after.overlay !== before.overlay) && { overlay: after.overlay }),
    },
    ...madeWrites,
  ]
  if (originals.length > 0) writes.push({ table: 'originals', originals })
  if (account) writes.push({ table: 'results', account })
  return { scope, nowMs: input.nowMs ?? 0, expectVersion: before.version, writes }
}

function withStored(handles: ReadonlySet<string>, encoded: SessionTurn['encoded']): ReadonlySet<string> {
  const { originals = [], madeWrites = [] } = encoded ?? {}
  if (originals.length + madeWrites.length === 0) return handles
  return new Set([...handles, ...originals.map(({ handle }) => handle), ...madeWrites.map(({ key }) => key)])
}

interface Ended {
  readonly requestId: string
  readonly result: ReceiptResult
  /** What each round behind the first has used. */
  readonly later?: readonly (Usage | undefined)[]
  /** Written in the same commit. */
  readonly beside?: readonly Write[]
}

/** What the provider refused it has not cached, and has not billed. */
export async function takenBack(host: SessionHost, turn: SessionTurn, ended: Ended): Promise<void> {
  const { parts, lane, changed, accounts } = host
  const { scope, before } = turn
  const now = (await branchesOf(host)).find((branch) => branch.scope.lane === scope.lane)
  const change = isBilled(ended.result) ? answeredChange(turn, ended.later ?? []) : refusedChange(turn)
  const { requestId, result, beside = [] } = ended
  const filed: readonly Write[] = [{ table: 'results', of: { requestId, result }, account: change }, ...beside]
  const nowMs = parts.clock()
  if (change) accounts.add(scope.tenant, change)
  if (now && stands(now.state, turn.after)) {
    const { ledger = null, offeredTools, overlay } = before
    const expectVersion = now.state.version
    const outcome = await timely(
      parts.store.commit({
        scope,
        nowMs,
        expectVersion,
        writes: [{ table: 'sessions', ledger, offeredTools, overlay }, ...filed],
      }),
      parts.limits.stageMs,
    )
    if (outcome.kind === 'done') {
      lane.put({ scope, state: { ...before, version: expectVersion + 1, handles: now.state.handles } })
      return changed()
    }
    lane.doubt()
    if (!isConflict(outcome.error)) throw outcome.error
  }
  await parts.store.commit({ scope, nowMs, urgency: 'idle', writes: filed })
}

/** Whether nothing has happened to a branch since. */
function stands(now: LiveState, after: LiveState): boolean {
  return now.version === after.version && now.ledger?.turns === after.ledger?.turns
}
