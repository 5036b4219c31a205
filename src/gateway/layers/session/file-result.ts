import type { Usage } from '../../../core/index.ts'
import { cacheMiss, exchangeCost } from '../../../sessions/index.ts'
import type { Session, SessionTurn } from '../../../sessions/index.ts'
import { wholeUsd } from '../../../stores/index.ts'
import type {
  CacheMiss,
  ExchangeCost,
  Fetched,
  LaterRound,
  ProviderAnswer,
  ReceiptResult,
} from '../../../stores/index.ts'
import type { ReplyEnd } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import { answerLabels } from '../../recording/answer-labels.ts'
import { askerOf } from '../../recording/asked-by.ts'
import { spendingWrites } from '../../recording/spending-writes.ts'
import { unsentCost } from '../../recording/unsent-cost.ts'
import { plausibleUsage } from '../../../tokens/index.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Warmth } from '../../upkeep/warm-keeper.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { wayTaken, failureCode } from '../../exchange/trace.ts'

/** A turn of a session that is over. */
export interface EndedTurn {
  readonly exchange: Exchange
  readonly session: Session
  readonly turn: SessionTurn
  readonly end: ReplyEnd
  /** What each round has used; undefined for one that did not say. */
  readonly rounds: readonly (Usage | undefined)[]
  /** Calls of our own tools that were answered. */
  readonly rehydrations: number
  /** What they have brought back of what had been left out. */
  readonly fetched: readonly Fetched[]
  /** What went upstream behind its first request. */
  readonly later: readonly LaterRound[]
  readonly markersWritten: number
  /** Calls of the client's that were answered in hidden rounds. */
  readonly callsWithheld: number
  /** What the provider has said against it. */
  readonly answer: ProviderAnswer | undefined
  /** What was done to have its cache last until it came. */
  readonly warmth: Warmth | undefined
}

/** Records how a turn ended: in the receipt, in the metrics, for the log, and in what is known of the model's counts. */
export async function fileResult(parts: GatewayParts, reported: EndedTurn): Promise<void> {
  const ended = plausible(parts, reported)
  const { exchange, turn, rehydrations, markersWritten, callsWithheld } = ended
  const { manifest } = turn
  if (turn.isFiled) exchange.trace.file()
  const { step } = exchange.settings
  const cost = costOf(parts, ended)
  const miss = missOf(parts, ended)
  exchange.trace.tell({
    taskId: step.taskId,
    stepId: step.stepId,
    originalTokens: manifest.originalTokens,
    packTokens: manifest.packTokens,
    epoch: manifest.epoch?.cause,
    rehydrations,
    markersWritten,
    callsWithheld,
    costUsd: cost?.usd,
    passThroughUsd: cost?.passThroughUsd,
    clientUsd: cost?.clientUsd,
    ifOnUsd: cost?.ifOn?.usd,
    cacheMiss: miss?.cause,
  })
  count(parts, ended, cost)
  if (miss) parts.metrics.cacheMisses.inc({ cause: miss.cause, by: miss.changed?.by ?? 'nobody' }, miss.tokens)
  learn(parts, ended)
  await commit(parts, ended, { cost, miss })
}

/** The same, less what no request of the model can have used: it would be billed, and taught to the calibration. */
function plausible({ catalogueOf }: GatewayParts, ended: EndedTurn): EndedTurn {
  const { exchange, turn, end, rounds } = ended
  if (exchange.trace.sent === undefined) return unsent(ended)
  const catalogue = catalogueOf(exchange.tenant)
  const info = catalogue.info(exchange.trace.answeredBy.at(-1) ?? turn.received.conversation.model)
  const { usage, ...rest } = end
  const known = plausibleUsage(usage, info)
  return {
    ...ended,
    end: { ...rest, ...(known && { usage: known }) },
    rounds: rounds.map((round) => plausibleUsage(round, info)),
  }
}

/** A layer behind the session has answered: what its answer says was used is nobody's to pay. */
function unsent(ended: EndedTurn): EndedTurn {
  const { usage, unpaid = usage, ...rest } = ended.end
  return { ...ended, end: { ...rest, ...(unpaid && { unpaid }) }, rounds: [] }
}

/** Of the first round: those after it go on from there. */
function missOf(
  { catalogueOf }: GatewayParts,
  { exchange, turn, rounds: [usage], end }: EndedTurn,
): CacheMiss | undefined {
  const { mode, planned, received, before } = turn
  if (mode !== 'on' || !planned || !usage || end.status >= 400) return undefined
  const model = exchange.trace.answeredBy[0] ?? received.conversation.model
  const last = before.received?.conversation.model
  return cacheMiss({
    planned,
    usage,
    info: catalogueOf(exchange.tenant).info(model),
    isOtherModel: last !== undefined && last !== model,
  })
}

/** In mode `observe` the client's own request was sent. What was cached by name is ours, and is paid for beside the rounds. */
function costOf(
  { catalogueOf }: GatewayParts,
  { exchange, turn, end, rounds, warmth }: EndedTurn,
): ExchangeCost | undefined {
  const { mode, planned, received } = turn
  const { chargedUsd, answeredBy } = exchange.trace
  const asked = received.conversation.model
  const catalogue = catalogueOf(exchange.tenant)
  if (exchange.trace.sent === undefined) return unsentCost(catalogue, received.conversation, end)
  const cost = exchangeCost({
    planned: mode === 'on' ? planned : undefined,
    observed:
      exchange.settings.mode === 'observe'
        ? { planned: received.wire.unplanned === undefined ? planned : undefined }
        : undefined,
    rounds,
    info: catalogue.info(asked),
    infos: answeredBy.map((model) => catalogue.info(model ?? asked)),
    keptWarm: warmth,
  })
  if (chargedUsd === 0 || cost?.usd === undefined) return cost
  return { ...cost, usd: wholeUsd(cost.usd + chargedUsd), keptUsd: wholeUsd(chargedUsd) }
}

interface Account {
  readonly cost: ExchangeCost | undefined
  readonly miss: CacheMiss | undefined
}

async function commit(parts: GatewayParts, ended: EndedTurn, { cost, miss }: Account): Promise<void> {
  const { exchange, session, turn, end, rehydrations, fetched, later, markersWritten, callsWithheld, answer, warmth } =
    ended
  const failure = failureCode(end)
  const result: ReceiptResult = {
    status: end.status,
    rehydrations,
    ...(fetched.length > 0 && { fetched }),
    ...(later.length > 0 && { rounds: later }),
    ...wayTaken(exchange.trace, parts.stopwatch()),
    ...(markersWritten > 0 && { markersWritten }),
    ...(callsWithheld > 0 && { callsWithheld }),
    ...(turn.lost.all > 0 && { hiddenLost: turn.lost.all }),
    ...(end.usage && { usage: end.usage }),
    ...answeredByOf(exchange),
    ...askerOf(exchange),
    ...(exchange.trace.routed && { routed: exchange.trace.routed }),
    ...(cost && { cost }),
    ...(miss && { cacheMiss: miss }),
    ...(warmth && { keptWarm: { refreshes: warmth.refreshes, ...(warmth.usd !== undefined && { usd: warmth.usd }) } }),
    ...(exchange.trace.crossed && { crossed: exchange.trace.crossed }),
    ...(failure !== undefined && { failure }),
    ...(answer && { answer }),
    ...(exchange.trace.skipped.length > 0 && { skipped: exchange.trace.skipped }),
  }
  // Nothing is added to a receipt that is not there; that has been told.
  if (!turn.isFiled && end.status < 400) return
  try {
    const further = ended.rounds.slice(1)
    const isTakenBack = end.status >= 400 || exchange.trace.sent === undefined
    const beside = spendingWrites(exchange)
    await (isTakenBack
      ? session.refused(turn, result, further, beside)
      : session.answered(turn, result, further, beside))
    exchange.outlay?.filed(true)
  } catch (error) {
    exchange.outlay?.filed(false)
    parts.skipped('store', error, exchange.id)
  }
}

/** Told where it is another than the client has asked for first. */
function answeredByOf({ trace, conversation: { model } }: Exchange): Pick<ReceiptResult, 'answeredBy'> {
  const answeredBy = trace.answeredBy.at(-1)
  return answeredBy === undefined || answeredBy === model ? {} : { answeredBy }
}

function count(
  parts: GatewayParts,
  { exchange, turn: { manifest, received }, warmth }: EndedTurn,
  cost: ExchangeCost | undefined,
): void {
  const { metrics, catalogue } = parts
  const family = catalogue.info(exchange.trace.answeredBy.at(-1) ?? received.conversation.model).provider
  metrics.tokens.inc({ kind: 'original', family }, manifest.originalTokens)
  metrics.tokens.inc({ kind: 'packed', family }, manifest.packTokens)
  if (cost?.usd !== undefined) {
    // What keeping it warm has cost was counted when it was spent.
    metrics.dollars.inc({ kind: 'spent', family }, cost.usd - (warmth?.usd ?? 0))
    metrics.roleDollars.inc({ role: 'agent', family }, cost.usd - (warmth?.usd ?? 0))
    metrics.spent.inc(answerLabels(parts, exchange), cost.usd)
    metrics.dollars.inc({ kind: 'pass-through', family }, cost.passThroughUsd)
    metrics.dollars.inc({ kind: 'client', family }, cost.clientUsd)
    if (cost.ifOn) {
      metrics.dollars.inc({ kind: 'observed', family }, cost.usd)
      metrics.dollars.inc({ kind: 'if-on', family }, cost.ifOn.usd)
    }
  }
  const { epoch } = manifest
  if (epoch) metrics.epochs.inc({ decision: epoch.decision, cause: epoch.cause })
  if (manifest.waste === undefined) return
  const { sentTokens, unusedTokens } = manifest.waste
  metrics.waste.inc({ use: 'used' }, sentTokens - unusedTokens)
  metrics.waste.inc({ use: 'unused' }, unusedTokens)
}

/**
 * One request, one report: a turn with hidden rounds adds several prompts up and teaches nothing, and neither does what goes on
 * from what only the provider has.
 */
function learn(parts: GatewayParts, { exchange, turn, end, rehydrations }: EndedTurn): void {
  if (!end.usage || rehydrations > 0 || end.failure || end.status !== 200) return
  if (turn.received.wire.continues !== undefined) return
  const { config } = parts
  if (settingsFor(config, exchange.tenant).tokenizer !== config.tokenizer) return
  const { manifest } = turn
  const sent = turn.mode === 'on' ? manifest.packTokens : manifest.originalTokens
  const { model } = turn.received.conversation
  // It was counted as another one counts.
  if ((exchange.trace.answeredBy[0] ?? model) !== model) return
  const seen = { model, estimated: sent + manifest.overheadTokens, actual: end.usage.inputTokens }
  const event = parts.calibration.observe(seen)
  if (event === undefined) return
  const { tenant, session } = turn.scope
  parts.events.tell({ tenant, session, requestId: exchange.id, event })
  parts.logger.info('feedback-loop', { loop: event.loopId, model, records: event.recordCount })
}
