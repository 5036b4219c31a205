import type { CompactionOrder, WireExchange, Item, Ledger, SessionRecord, SteadyPart, Usage } from '../core/index.ts'
import type { ReceiptResult, Write } from '../stores/index.ts'
import { branchFor } from './branches.ts'
import type { ContinuedBranch } from './branches.ts'
import { hasManyTools } from './catalogue/learn-tools.ts'
import { learnt } from './catalogue/learnt-writes.ts'
import { wastedTools } from './catalogue/wasted-tools.ts'
import { briefingItem } from './compaction/briefing-item.ts'
import { linkParent } from './compaction/link-parent.ts'
import { compactionConfig, compactionOrder } from './compaction/compaction-order.ts'
import { compactionsOf, handoffAdvice } from './compaction/compactions.ts'
import { cachesPrompts } from './caches-prompts.ts'
import { answeredChange, earlierSessions, isBilled, refusedChange } from './cost/account-changes.ts'
import type { EarlierSessions } from './cost/account-changes.ts'
import { hadItem } from './had-item.ts'
import { filed } from './hidden-commits.ts'
import type { Hidden } from './hidden-commits.ts'
import { withModel } from './with-model.ts'
import { listedBranch } from './listed-branch.ts'
import type { Lane } from './lane.ts'
import { made } from './made-turn.ts'
import type { Meaning, WantsMeaning } from './made-turn.ts'
import { noteKept } from './kept-replies.ts'
import type { BeforeKept } from './kept-replies.ts'
import type { Branch, LiveState } from './live-state.ts'
import { requestContext } from './request-context.ts'
import { packTurn } from './pack-turn.ts'
import type { PackedTurn } from './pack-turn.ts'
import { packIdOf } from './receipt-of.ts'
import { stored, takenBack } from './session-commits.ts'
import { branchesOf, conflictTries, mostTries } from './session-host.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionRequest, SessionTurn, UnpackedTurn } from './session-turn.ts'
import { steadyPart } from './steady/steadied.ts'
import { dueSteeringNote } from './steering/steering-note.ts'
import { withinDeadline } from './within-deadline.ts'

/** A session's only doors. */
export interface Session {
  /** Of the models of a request that several may answer, the one that has answered the last of the session. */
  answering(): string | undefined
  /** Whether an earlier request of the session held the item at a place of these. Rejects where the store cannot be read. */
  had(items: readonly Item[], place: number): Promise<boolean>
  /** Compiles a request, and stores what was decided before it resolves. Never rejects. */
  pack(request: SessionRequest): Promise<SessionTurn | UnpackedTurn>
  /** The provider has answered; `later` is what each round behind the first has used, `beside` is written in the same commit. Rejects when the receipt cannot be written. */
  answered(turn: SessionTurn, result: ReceiptResult, later?: LaterRounds, beside?: readonly Write[]): Promise<void>
  /** The provider refused the request or never saw it: the session stands where it stood, unless it has moved on. */
  refused(turn: SessionTurn, result: ReceiptResult, later?: LaterRounds, beside?: readonly Write[]): Promise<void>
  /** Files what a reply held that the client does not see. Rejects when it cannot be written. */
  hid(turn: SessionTurn, hidden: Hidden): Promise<void>
}

type LaterRounds = readonly (Usage | undefined)[]

/** `hostOf` is asked with each call. */
export function session(hostOf: () => SessionHost): Session {
  const inTurn = <Result>(work: (host: SessionHost) => Promise<Result>): Promise<Result> => {
    const host = hostOf()
    return host.lane.turns.run(() => work(host))
  }
  return {
    answering: () => hostOf().lane.answering,
    had: (items, place) => inTurn(async (host) => hadItem(await branchesOf(host), items, place)),
    async pack(request) {
      const step: Step = { stage: 'session' }
      try {
        return await inTurn((host) => packed(host, request, step).finally(host.changed))
      } catch (error) {
        return { kind: 'unpacked', stage: step.stage, error }
      }
    },
    async answered(turn, result, later = [], beside = []) {
      const { scope, requestId, step } = turn
      const host = hostOf()
      const { parts, lane, accounts } = host
      answeredBy(lane, turn, result)
      const missed = lane.steps.took(step, result)
      if (missed.length > 0) parts.watch.missed({ scope, requestId, step, missed })
      const outcome = missed.length > 0 ? { ...result, missedLimits: missed } : result
      const change = isBilled(result) ? answeredChange(turn, later) : refusedChange(turn)
      const committing = parts.store.commit({
        scope,
        nowMs: parts.clock(),
        urgency: 'idle',
        writes: [
          { table: 'results', of: { requestId, result: outcome }, account: change },
          ...learnt(host, turn),
          ...beside,
        ],
      })
      if (change) accounts.add(scope.tenant, change)
      // The next request may come before it is written.
      lane.spent(result)
      await committing
    },
    async refused(turn, result, later = [], beside = []) {
      await inTurn((host) => takenBack(host, turn, { requestId: turn.requestId, result, later, beside }))
      hostOf().lane.spent(result)
    },
    async hid(turn, hidden) {
      if (hidden.turn || hidden.rehydrations > 0) await inTurn((host) => filed(host, turn, hidden))
      if (hidden.kept.length > 0) {
        const { parts } = hostOf()
        const noting = parts.store.commit({
          scope: turn.scope,
          nowMs: parts.clock(),
          writes: noteKept(turn.scope, hidden.kept),
        })
        await withinDeadline(noting, parts.limits.stageMs)
      }
    },
  }
}

/** A branch is that of the model that has answered: in its cache is what was sent. */
function answeredBy(lane: Lane, { received, after, scope }: SessionTurn, { answeredBy: model }: ReceiptResult): void {
  const { models } = received.conversation
  if (models === undefined) return
  lane.answering = model
  const now = model ?? models[0]
  const branch = lane
    .held()
    .find(({ scope: own, state }) => own.lane === scope.lane && state.received === after.received)
  if (branch?.state.received === undefined || now === undefined) return
  const { received: last } = branch.state
  lane.put({ ...branch, state: { ...branch.state, received: withModel(last, now) } })
}

/** Where a request is on its way, so that a failure can say where it was. */
interface Step {
  stage: 'session' | 'compile' | 'store' | 'conflict'
}

async function packed(host: SessionHost, request: SessionRequest, step: Step): Promise<SessionTurn> {
  const { lane, accounts, clientTools } = host
  const { tenant } = lane.scope
  const tries = conflictTries(host.parts)
  for (;;) {
    step.stage = 'session'
    const loading = accounts.load(tenant)
    const learning = hasManyTools(request.received) ? clientTools.load(tenant) : undefined
    const loadingHosts = host.parts.hostedTools?.load(tenant)
    const branches = await branchesOf(host)
    await loading
    await learning
    await loadingHosts
    if (request.parent !== undefined) await linkParent(host, request.parent)
    step.stage = 'compile'
    const turn = await made(host, request, (meaning) =>
      timed(host, request, () => decided(host, branches, { request, meaning })),
    )
    step.stage = 'store'
    // Where others keep changing the account, later tries are not compared with it.
    const outcome = await stored(host, tries.count() < mostTries ? turn : unconditional(turn))
    if (outcome !== 'conflict') return { ...turn, ...outcome }
    lane.doubt()
    accounts.doubt(tenant)
    step.stage = 'conflict'
    if (!tries.again()) throw new Error(`the session has moved on ${tries.count() - 1} times meanwhile`)
  }
}

function unconditional({ knownCredit: _known, ...turn }: SessionTurn): SessionTurn {
  return turn
}

function decided(
  host: SessionHost,
  branches: readonly Branch[],
  { request, meaning }: { readonly request: SessionRequest; readonly meaning: Meaning },
): SessionTurn | WantsMeaning {
  const { parts, lane } = host
  const { codec, came = request.received, kept, policy, situation, rehydrates, requestId, mode, step } = request
  const branch = continuedBy(host, branches, request)
  const { scope, received } = branch
  const asked = requestContext(parts, request, scope)
  const collected = collectedFor(lane.record(), request, branch)
  const costBefore = lane.cost()
  const begunState = stateFor(request, branch)
  const { knownCredit, ...earlier } = earlierFor(host, request, begunState)
  const nowMs = parts.clock()
  const { sessionLengths } = earlier
  const toList = { branch, begun: begunState, sessionLengths, nowMs, meaning }
  const { state, lost, wants, ...shown } = listedBranch(host, request, toList)
  if (wants) return { kind: 'wants-meaning', asked: wants }
  const toPack = {
    codec,
    received,
    ...shown,
    collected,
    pins: lane.record()?.pins,
    policy,
    situation,
    rehydrates,
    asked,
    nowMs,
    watch: request.watch,
    compaction: orderFor(host, request, { scope, state }),
    ...earlier,
  }
  const { turn, state: after } = packTurn(parts, state, toPack)
  const wasted = wastedTools(turn)
  return {
    ...turn,
    kind: 'packed',
    requestId,
    asked,
    mode,
    codec,
    collected,
    ...(step && { step }),
    ...(kept && { kept }),
    scope,
    packId: packIdOf(turn),
    isFiled: false,
    ...(wasted && { wasted }),
    ...(knownCredit !== undefined && { knownCredit }),
    ...compactingOf(host, { request, turn, ledger: after.ledger }),
    ...(costBefore && { costBefore }),
    lost: { all: lost.length, fresh: lost.filter((one) => state.lost?.includes(one) !== true).length },
    before: state,
    after: { ...after, received: came, layered: came === request.received ? undefined : request.received, lost },
  }
}

function continuedBy(
  { lane: { scope } }: SessionHost,
  branches: readonly Branch[],
  { codec, received, kept, policy, situation, steady }: SessionRequest,
): ContinuedBranch {
  const isSteady = steady !== false && cachesPrompts(policy, situation)
  return branchFor(branches, { codec, received, scope, kept, steady: isSteady })
}

/** What a request goes on from, before its tools are chosen. */
function stateFor({ warm, kept }: SessionRequest, { scope, state, received, part }: ContinuedBranch): LiveState {
  const known = warm !== undefined && warm.lane === scope.lane ? readSince(state, warm.readMs) : state
  return remembering(known.version === 0 ? begun(known, { received, kept }) : known, part)
}

/** What is only observed borrows from nobody. */
function earlierFor(
  { lane, accounts }: SessionHost,
  { mode, received }: SessionRequest,
  { ledger }: LiveState,
): Partial<EarlierSessions> {
  const rows = accounts.rows(lane.scope.tenant)
  const { sessionLengths, ...credit } = earlierSessions({ rows, model: received.conversation.model, ledger })
  return { ...(sessionLengths && { sessionLengths }), ...(mode === 'on' && credit) }
}

function orderFor(
  { lane }: SessionHost,
  { compaction: asked }: SessionRequest,
  { scope, state }: Branch,
): CompactionOrder | undefined {
  return compactionOrder({ record: lane.record(), asked, lane: scope.lane ?? '', ledger: state.ledger })
}

/** What a request says that its client has not said. */
function collectedFor(
  record: SessionRecord | undefined,
  { collected = [] }: SessionRequest,
  { notes, placed }: ContinuedBranch,
): readonly Item[] {
  return [...briefingFor(record), ...collected, ...notes, ...dueSteeringNote(record, placed)]
}

function briefingFor(record: SessionRecord | undefined): readonly Item[] {
  return record?.briefing ? [briefingItem(record.briefing, record.parent)] : []
}

interface Packed {
  readonly request: SessionRequest
  readonly turn: PackedTurn
  readonly ledger: Ledger | undefined
}

/** How often the conversation was compacted by now, and whether another session should go on. */
function compactingOf(
  { lane }: SessionHost,
  { request, turn, ledger }: Packed,
): Pick<SessionTurn, 'compactions' | 'parentSession' | 'advice'> {
  // A client that is only observed sends its conversation as it is: nothing of it was compacted by us.
  const isObserved = request.mode === 'observe'
  const compactions = compactionsOf(isObserved ? undefined : ledger, turn.exchange.conversation.items)
  const config = compactionConfig({ record: lane.record(), asked: request.compaction })
  const { manifest } = turn
  const sent = isObserved ? { ...manifest, packTokens: manifest.originalTokens } : manifest
  const advice = handoffAdvice(compactions, config, sent)
  const parentSession = lane.record()?.parent
  return { compactions, ...(parentSession !== undefined && { parentSession }), ...(advice && { advice }) }
}

/** A branch whose prompt was read again at its provider: its cache is as warm as if the last request had come then. */
function readSince(state: LiveState, readMs: number): LiveState {
  const { ledger } = state
  return ledger?.lastRequestMs === undefined ? state : { ...state, ledger: { ...ledger, lastRequestMs: readMs } }
}

/** A branch that has not been written yet. */
function begun(
  state: LiveState,
  { received, kept }: { readonly received: WireExchange; readonly kept: BeforeKept | undefined },
): LiveState {
  return { ...remembering(state, steadyPart(received)), ...(kept && { offeredTools: kept.offeredTools }) }
}

/** A branch with what its beginning is from now on. */
function remembering(state: LiveState, steady: SteadyPart | undefined): LiveState {
  if (steady === undefined) return state
  return { ...state, overlay: [...state.overlay.filter(({ kind }) => kind !== 'steady'), steady] }
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
