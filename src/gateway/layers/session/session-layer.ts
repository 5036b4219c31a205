import { clientStatus } from '../../../codecs/index.ts'
import type { WireExchange, PrehendError } from '../../../core/index.ts'
import { promptCacheKey } from '../../../providers/breakpoints/index.ts'
import {
  packCollected,
  hiddenRounds,
  markerWriterFor,
  refusedFor,
  sentBytes,
  mustBePacked,
  withModel,
} from '../../../sessions/index.ts'
import type { Session, SessionTurn } from '../../../sessions/index.ts'
import { bodyOf, filtered, isSuccess, wholeReply } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import { tellCompile, tellRejected } from '../../telemetry/tell-compile.ts'
import { outgoingBody } from '../../exchange/exchange.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { findSession, layeredNow } from '../find-session.ts'
import type { Layer, Next } from '../../exchange/layer.ts'
import { leavingOut } from '../left-out.ts'
import type { Scope } from '../../../stores/index.ts'
import type { Warmth } from '../../upkeep/warm-keeper.ts'
import { callHost } from './call-host.ts'
import { cachedPrompt } from './cached-prompt.ts'
import type { SentBody } from './cached-prompt.ts'
import { keepsAside } from './keeps-aside.ts'
import { fileResult } from './file-result.ts'
import { joinedReply } from './joined-reply.ts'
import { markerFilter } from './marker-filter.ts'
import { packHeaders, savedHeader } from './pack-headers.ts'
import { answerEar } from './provider-answer.ts'
import { compileSpans, turnAttributes } from './session-spans.ts'
import { fileStepArtifacts } from './step-artifacts.ts'
import { summaryWork } from './summary-work.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { recordToldOutcome } from './told-outcome.ts'
import { splicedReply } from './spliced-reply.ts'
import type { HiddenTurns } from './hidden-turns.ts'

/**
 * Has each request packed as the next turn of its session, answers the calls of our own tools, and files what came of it.
 * Where a part of that fails, the request goes on as the layers before have left it.
 */
export function sessionLayer(parts: GatewayParts): Layer {
  return {
    name: 'session',
    failure: 'open',
    failsClosed: ({ settings }) => settings.mode === 'on' && mustBePacked(settings),
    appliesTo: ({ kind, unread, settings }) => kind === 'messages' && !unread && settings.mode !== 'off',
    handle: async (exchange, next) => {
      const { settings, codec, id, tenant, principal, trace } = exchange
      const { policy, situation, rehydrate: rehydrates, step, parentSession: parent } = settings
      const leftOut = leavingOut(parts, exchange)
      const layered = layeredNow(exchange)
      const { unplanned } = layered.wire
      if (unplanned !== undefined) trace.skip(unplanned)
      if (isBeyondWindows(layered)) {
        trace.skip('too-large')
        return unpacked({ parts, exchange, next })
      }
      const found = await findSession(parts, exchange, layered).catch((error: unknown) => leftOut('session', error))
      if (!found) return unpacked({ parts, exchange, next })
      const { scope: lane, before: kept } = found
      if (settings.outcome !== undefined) await recordToldOutcome(parts, exchange, { lane, quality: settings.outcome })
      const mode: SessionTurn['mode'] = found.isObserved ? 'observe' : 'on'
      const session = parts.sessions.open(lane)
      // Who has answered last is asked next, and has the prompt in its cache.
      const received = withModel(layered, session.answering())
      const came = withModel(exchange.received.exchange, session.answering())
      const own = settingsFor(parts.config, tenant)
      const steady = own.promptCache.steadyInstructions
      const compaction = { ofTenant: own.compaction, ofRequest: settings.compaction }
      const warmth = parts.warmKeeper.came(lane)
      const asked = { codec, received, came, requestId: id, principal, mode, policy, situation } as const
      const request = {
        ...asked,
        rehydrates,
        step,
        steady,
        compaction,
        parent,
        warm: warmth,
        kept,
        keepsAside: () => keepsAside(parts, exchange),
        watch: compileSpans(exchange),
      }
      const { collected } = exchange
      const turn = await packCollected(session, { ...request, collected }, leftOut)
      if (turn.kind === 'packed') {
        tell(parts, turn)
        exchange.span?.set(turnAttributes(turn))
        fileStepArtifacts(parts, exchange, turn)
        return sent(parts, { exchange, session, scope: lane, turn, warmth, next })
      }
      leftOut(turn.stage, turn.error)
      return unpacked({ parts, exchange, next }, turn.error)
    },
  }
}

/** Definitions that a request sends, and those of them that nothing has called. */
function countTools({ toolDefinitions, toolTokens }: Metrics, { wasted: found }: SessionTurn): void {
  if (found === undefined) return
  const { defined, wasted, definedTokens, wastedTokens } = found
  toolDefinitions.inc({ use: 'called' }, defined - wasted)
  toolDefinitions.inc({ use: 'uncalled' }, wasted)
  toolTokens.inc({ use: 'called' }, definedTokens - wastedTokens)
  toolTokens.inc({ use: 'uncalled' }, wastedTokens)
}

function tell(parts: GatewayParts, turn: SessionTurn): void {
  tellLost(parts, turn)
  if (turn.mode === 'on')
    parts.offered?.(
      turn.scope.tenant,
      (turn.encoded?.tools ?? []).map(({ definition }) => definition.name),
    )
  countTools(parts.metrics, turn)
  const { requestId, scope, manifest, events } = turn
  tellCompile(parts, { ...scope, requestId, manifest, events })
  const { tenant, session } = scope
  const isNews = manifest.compaction !== undefined || turn.advice?.cause !== 'compactions'
  if (turn.advice && isNews) parts.events.tell({ tenant, session, requestId, event: turn.advice })
}

/** A model that does not find what it has asked for asks again, at the price of a whole prompt: that is worth a word. */
function tellLost({ logger, metrics }: GatewayParts, { lost, requestId }: SessionTurn): void {
  if (lost.fresh === 0) return
  metrics.hiddenLost.inc(lost.fresh)
  logger.warn('hidden-lost', { requestId, exchanges: lost.fresh })
}

/** Text that no model has a window for; compiling it would hold up everyone else. */
const mostChars = 10_000_000

function isBeyondWindows({ wire, conversation }: WireExchange): boolean {
  return (
    wire.body.length > mostChars && conversation.items.reduce((total, { text }) => total + text.length, 0) > mostChars
  )
}

interface Underway {
  readonly exchange: Exchange
  readonly session: Session
  /** Its name, and the lane in which the request has come. */
  readonly scope: Scope
  readonly turn: SessionTurn
  readonly warmth: Warmth | undefined
  readonly next: Next
}

/** One request of a session with its reply. */
async function sent(parts: GatewayParts, { exchange, session, scope, turn, warmth, next }: Underway): Promise<Reply> {
  let last: SentBody | undefined
  const { encoded, mode, manifest } = turn
  const own = settingsFor(parts.config, exchange.tenant)
  const caches = manifest.promptCache !== false
  const isSent = mode === 'on' && encoded !== undefined
  const calls = { session, turn, host: callHost(exchange), count: told }
  const rounds = isSent ? hiddenRounds(parts.sessionParts, calls) : undefined
  const usages: HiddenTurns['usages'] = []
  const ear = answerEar(own.record === 'content')
  const markers = markerWriterFor(parts.sessionParts, turn, (result) => parts.metrics.markers.inc({ result }))
  exchange.whenEnded(async (end) => {
    await fileResult(parts, {
      exchange,
      session,
      turn,
      end,
      rounds: usages.length > 0 ? usages : [end.usage],
      rehydrations: rounds?.answers.answered ?? 0,
      fetched: rounds?.answers.fetched ?? [],
      later: rounds?.sent ?? [],
      markersWritten: markers?.written() ?? 0,
      callsWithheld: rounds?.withheld.taken ?? 0,
      answer: ear.answer(end),
      warmth,
    })
    const work = isSent && end.status < 400 ? summaryWork(parts, { exchange, turn, next }) : undefined
    if (work) parts.summaryQueue.write(work)
    const usage = usages.at(-1) ?? end.usage
    const isKept = caches && own.promptCache.keepalive
    if (!isKept || !last || !usage || end.status >= 400 || end.failure) return
    const prompt = cachedPrompt(parts, { exchange, turn, next, sent: last, usage })
    if (prompt) parts.warmKeeper.answered(scope, prompt)
  }, 'files')
  if (!turn.isFiled) exchange.trace.skip('store')
  exchange.trace.show(packHeaders(turn))
  if (mode === 'on' && turn.refusal) return refusal(exchange, turn.refusal)
  const unsafe = mode === 'on' ? undefined : refusedAsItCame(exchange, turn)
  if (unsafe) return refusal(exchange, unsafe)
  const asked = counted(exchange, turn)
  const sessionName = caches ? promptCacheKey(turn.scope.tenant, turn.scope.session) : undefined
  const send: HiddenTurns['send'] = (body) => {
    last = { body, sentMs: parts.clock() }
    return next({ ...asked, body, ...(sessionName !== undefined && { sessionName }) })
  }
  const first = isSent ? await send(encoded.body) : await next(asked)
  const { replyBytes } = own.limits
  const shown = rounds ? await withoutHidden({ codec: exchange.codec, send, rounds, usages, replyBytes }, first) : first
  // Of a stream the head has gone out before anybody knows whether there will be further rounds.
  if (usages.length > 1) exchange.trace.show(savedHeader(turn.planned, usages.slice(1)))
  const heard = ear.heard(shown)
  return markers ? filtered(heard, markerFilter(markers)) : heard

  function told(result: 'answered' | 'passed'): void {
    parts.metrics.markers.inc({ result })
    if (result === 'passed') parts.logger.warn('marker-passed', { requestId: turn.requestId })
  }
}

/** The request with what it takes in tokens. */
function counted(exchange: Exchange, { mode, encoded, planned }: SessionTurn): Exchange {
  const plan = mode === 'on' && encoded !== undefined ? planned?.sent : planned?.passThrough
  return plan === undefined ? exchange : { ...exchange, promptTokens: Math.round(plan.tokens) }
}

/** A request that could not be packed goes as it came, unless its policy lets nothing pass that was not looked at. */
async function unpacked(
  { parts, exchange, next }: { readonly parts: GatewayParts; readonly exchange: Exchange; readonly next: Next },
  error?: unknown,
): Promise<Reply> {
  const { settings } = exchange
  const refused = settings.mode === 'on' ? refusedFor(settings, error) : undefined
  if (refused?.code === 'quality-gate') tellRejected(parts, exchange.id, refused)
  return refused ? refusal(exchange, refused) : passedOn(exchange, next)
}

/** A request of which only a part is here goes as it came; not where its policy would have sent that part otherwise. */
function refusedAsItCame({ settings }: Exchange, { manifest, outcome }: SessionTurn): PrehendError | undefined {
  const isClean = outcome.kind === 'ok' && manifest.security?.findings?.every(({ action }) => action === 'logged')
  return settings.mode === 'on' && isClean !== true ? refusedFor(settings) : undefined
}

/** Its receipt is filed when it has ended. */
function passedOn(exchange: Exchange, next: Next): Promise<Reply> {
  const body = outgoingBody(exchange)
  if (body !== undefined) exchange.trace.goAs(sentBytes(typeof body === 'string' ? Buffer.from(body) : body))
  return next(exchange)
}

/** The answer to a request that may only be sent whole, and does not fit, or is refused. */
function refusal({ codec, id }: Exchange, error: PrehendError): Reply {
  return wholeReply({ text: codec.encodeError(error, id) }, { status: clientStatus(error) })
}

/** A reply in which our own tools do not occur. */
async function withoutHidden(turns: HiddenTurns, first: Reply): Promise<Reply> {
  if (first.form === 'raw') {
    // Nobody knows what a reply calls that cannot be read; to read it says why not.
    if (isSuccess(first) && first.unreadable?.()) await bodyOf(first)
    return first
  }
  return first.form === 'stream' ? splicedReply(turns, first) : joinedReply(turns, first)
}
