import { entriesOf, ledgerSince } from '../compiler/index.ts'
import type { HiddenTurn, Item, SaidBefore } from '../core/index.ts'
import { isPrehendError } from '../core/index.ts'
import type { Commit, Original, ReceiptResult } from '../stores/index.ts'
import { branchFor } from './branches.ts'
import type { Lane } from './lane.ts'
import { liveState, storedState } from './live-state.ts'
import type { Branch, LiveState } from './live-state.ts'
import { noteKept } from './kept-replies.ts'
import { packTurn } from './pack-turn.ts'
import { packIdOf, receiptOf } from './receipt-of.ts'
import type { SessionParts } from './session-parts.ts'
import type { SessionRequest, SessionTurn, UnpackedTurn } from './session-turn.ts'
import { timely, withinDeadline } from './within-deadline.ts'

/** A session's only doors. */
export interface Session {
  /** Compiles a request, and stores what was decided before it resolves. Never rejects. */
  pack(request: SessionRequest): Promise<SessionTurn | UnpackedTurn>
  /** The provider has answered. Rejects when the receipt cannot be written. */
  answered(turn: SessionTurn, result: ReceiptResult): Promise<void>
  /** The provider refused the request or never saw it: the session stands where it stood, unless it has moved on. */
  refused(turn: SessionTurn, result: ReceiptResult): Promise<void>
  /** Files what a reply held that the client does not see. Rejects when it cannot be written. */
  hid(turn: SessionTurn, hidden: Hidden): Promise<void>
}

/** Times that a decision is made again because somebody else was faster. */
const mostTries = 4

export interface SessionHost {
  readonly parts: SessionParts
  readonly lane: Lane
  /** Called when a state has changed. */
  readonly changed: () => void
}

/** `hostOf` is asked with each call. */
export function session(hostOf: () => SessionHost): Session {
  const inTurn = <Result>(work: (host: SessionHost) => Promise<Result>): Promise<Result> => {
    const host = hostOf()
    return host.lane.turns.run(() => work(host))
  }
  return {
    async pack(request) {
      const step: Step = { stage: 'session' }
      try {
        return await inTurn((host) => packed(host, request, step).finally(host.changed))
      } catch (error) {
        return { kind: 'unpacked', stage: step.stage, error }
      }
    },
    async answered({ scope, requestId }, result) {
      const { parts, lane } = hostOf()
      const committing = parts.store.commit({ scope, nowMs: parts.clock(), result: { requestId, result } })
      // The next request may come before it is written.
      lane.spent(result)
      await committing
    },
    async refused(turn, result) {
      await inTurn((host) => takenBack(host, turn, { requestId: turn.requestId, result }))
      hostOf().lane.spent(result)
    },
    async hid(turn, hidden) {
      if (hidden.turn || hidden.rehydrations > 0) await inTurn((host) => filed(host, turn, hidden))
      if (hidden.kept.length > 0) {
        const { parts } = hostOf()
        const noting = parts.store.commit({ ...noteKept(turn.scope, hidden.kept), nowMs: parts.clock() })
        await withinDeadline(noting, parts.limits.stageMs)
      }
    },
  }
}

/** Where a request is on its way, so that a failure can say where it was. */
interface Step {
  stage: 'session' | 'compile' | 'store' | 'conflict'
}

async function packed(host: SessionHost, request: SessionRequest, step: Step): Promise<SessionTurn> {
  const { lane } = host
  for (let tries = 1; ; tries += 1) {
    step.stage = 'session'
    const branches = await branchesOf(host)
    step.stage = 'compile'
    const turn = timed(host, request, () => decided(host, branches, request))
    step.stage = 'store'
    const outcome = await stored(host, turn)
    if (outcome !== 'conflict') return { ...turn, ...outcome }
    lane.doubt()
    step.stage = 'conflict'
    if (tries === mostTries) throw new Error(`the session has moved on ${mostTries} times meanwhile`)
  }
}

async function branchesOf({ lane, parts }: SessionHost): Promise<readonly Branch[]> {
  const found = lane.branches()
  return found instanceof Promise ? withinDeadline(found, parts.limits.stageMs) : found
}

function decided({ parts, lane }: SessionHost, branches: readonly Branch[], request: SessionRequest): SessionTurn {
  const { codec, received, came = received, collected = [], kept, policy, rehydrates, requestId, mode } = request
  const {
    scope,
    state: found,
    restored,
    placed,
    lost,
  } = branchFor(branches, { codec, received, scope: lane.scope, kept })
  const state = kept && found.version === 0 ? { ...found, offeredTools: kept.offeredTools } : found
  const toPack = {
    codec,
    received,
    restored,
    placed,
    collected,
    policy,
    rehydrates,
    tenant: scope.tenant,
    nowMs: parts.clock(),
  }
  const { turn, state: after } = packTurn(parts, state, toPack)
  const packId = packIdOf(turn)
  return {
    ...turn,
    kind: 'packed',
    requestId,
    mode,
    codec,
    collected,
    ...(kept && { kept }),
    scope,
    packId,
    isFiled: false,
    ...(lane.cost && { costBefore: lane.cost }),
    lost: { all: lost.length, fresh: lost.filter((part) => state.lost?.includes(part) !== true).length },
    before: state,
    after: { ...after, received: came, lost },
  }
}

/** A compile is told before it begins, so that a thread which does not come back from it can be ended; and after, where it took too long. */
function timed<Result>({ parts }: SessionHost, { requestId }: SessionRequest, work: () => Result): Result {
  parts.watch.compiles?.(requestId)
  const startedMs = parts.stopwatch()
  const result = work()
  const tookMs = parts.stopwatch() - startedMs
  if (tookMs > parts.limits.stageMs) parts.watch.slow('compile', tookMs, requestId)
  return result
}

/**
 * Files what was decided, and gives the branch as it is then; what cannot be filed goes on without, where nothing depends on it. A request waits for it: what it shows must be what the session
 * is known by, and what a pointer stands for must be there whatever happens next.
 */
async function stored(
  host: SessionHost,
  turn: SessionTurn,
): Promise<Pick<SessionTurn, 'after' | 'isFiled'> | 'conflict'> {
  const { parts, lane } = host
  const { scope, before, after, encoded, requestId } = turn
  const originals = encoded?.originals ?? []
  const committing = parts.store.commit(commitOf(parts, turn))
  const outcome = await timely(committing, parts.limits.stageMs)
  if (outcome.kind === 'done') {
    const handles = withHandles(after.handles, originals)
    const state = { ...after, version: before.version + 1, handles, isUnsaved: false }
    lane.put({ scope, state })
    return { after: state, isFiled: true }
  }
  if (isConflict(outcome.error)) return 'conflict'
  // What came too late may yet be written; what failed was not.
  if (outcome.kind === 'late') lane.doubt()
  if (originals.length > 0) {
    if (outcome.kind === 'late') withdrawn(host, turn, committing)
    throw outcome.error
  }
  parts.watch.failed('store', outcome.error, requestId)
  if (outcome.kind === 'failed') lane.put({ scope, state: { ...after, isUnsaved: true } })
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

function commitOf(parts: SessionParts, turn: SessionTurn): Commit {
  const { scope, before, after, encoded, input } = turn
  const isNew = before.version === 0 || before.isUnsaved === true
  const originals = encoded?.originals ?? []
  return {
    scope,
    nowMs: input.nowMs ?? 0,
    expectVersion: before.version,
    ...(after.ledger && { ledger: after.ledger }),
    ...((isNew || after.offeredTools !== before.offeredTools) && { offeredTools: after.offeredTools }),
    ...((isNew ? after.overlay.length > 0 : after.overlay !== before.overlay) && { overlay: after.overlay }),
    ...(originals.length > 0 && { originals }),
    receipt: receiptOf(turn, parts.recordsContent),
  }
}

function withHandles(handles: ReadonlySet<string>, originals: readonly Original[]): ReadonlySet<string> {
  return originals.length === 0 ? handles : new Set([...handles, ...originals.map(({ handle }) => handle)])
}

function isConflict(error: unknown): boolean {
  return isPrehendError(error) && error.code === 'conflict'
}

interface Ended {
  readonly requestId: string
  readonly result: ReceiptResult
}

/** What the provider refused it has not cached, and has not billed. */
async function takenBack(host: SessionHost, turn: SessionTurn, ended: Ended): Promise<void> {
  const { parts, lane, changed } = host
  const { scope, before } = turn
  const now = (await branchesOf(host)).find((branch) => branch.scope.lane === scope.lane)
  const file = { scope, nowMs: parts.clock(), result: ended }
  if (now && stands(now.state, turn.after)) {
    const { ledger = null, offeredTools, overlay } = before
    const expectVersion = now.state.version
    const outcome = await timely(
      parts.store.commit({ ...file, expectVersion, ledger, offeredTools, overlay }),
      parts.limits.stageMs,
    )
    if (outcome.kind === 'done') {
      lane.put({ scope, state: { ...before, version: expectVersion + 1, handles: now.state.handles } })
      return changed()
    }
    lane.doubt()
    if (!isConflict(outcome.error)) throw outcome.error
  }
  await parts.store.commit(file)
}

/** Whether nothing has happened to a branch since. */
function stands(now: LiveState, after: LiveState): boolean {
  return now.version === after.version && now.ledger?.turns === after.ledger?.turns
}

/** What was hidden in a reply, and how many of its calls brought back what had been left out. */
export interface Hidden {
  readonly turn: HiddenTurn | undefined
  readonly rehydrations: number
  /** What of it went upstream behind the turn's request. */
  readonly sent: readonly Item[]
  /** The names of its replies that the provider keeps: the next request may go on from any of them. */
  readonly kept: readonly string[]
}

async function filed(host: SessionHost, turn: SessionTurn, hidden: Hidden): Promise<void> {
  const { parts, lane, changed } = host
  const { scope, received } = turn
  const nowMs = parts.clock()
  for (let tries = 1; ; tries += 1) {
    const branches = await branchesOf(host)
    const known = branches.find((branch) => branch.scope.lane === scope.lane)
    const before = known?.state ?? liveState(await parts.store.session(scope))
    const state = withHidden(sentSince(before, turn, { hidden, nowMs }), hidden, before.saidBefore(received).end)
    const { version, ...changes } = storedState(state)
    const work = parts.store.commit({ scope, nowMs, expectVersion: version, ...changes })
    const outcome = await timely(work, parts.limits.stageMs)
    if (outcome.kind === 'done') lane.put({ scope, state: { ...state, version: version + 1 } })
    else if (outcome.kind === 'failed' && !isConflict(outcome.error)) lane.put({ scope, state })
    else lane.doubt()
    changed()
    if (outcome.kind === 'done') return
    if (!isConflict(outcome.error) || tries === mostTries) throw outcome.error
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
