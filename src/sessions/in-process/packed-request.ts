import { hasHiddenCalls, rewrittenReply, withoutTools } from '../../codecs/index.ts'
import type { Codec, StreamEnd } from '../../codecs/index.ts'
import type {
  CompileEvent,
  WireExchange,
  Manifest,
  Outcome,
  Policy,
  ModelReply,
  Situation,
  Usage,
  WhyWhole,
} from '../../core/index.ts'
import type { ReceiptResult } from '../../stores/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { exchangeCost } from '../cost/exchange-cost.ts'
import { savedBy } from '../cost/planned-tokens.ts'
import { refusedFor } from '../refused-for.ts'
import { replyAction, replyRefused } from '../reply-guard.ts'
import type { ReplyGuard } from '../reply-guard.ts'
import type { Session } from '../session.ts'
import type { SessionTurn, UnpackedTurn } from '../session-turn.ts'
import type { SessionParts } from '../session-parts.ts'
import { withMarkersWritten, markerWriterFor } from '../markers/write-markers.ts'
import type { SessionArtifacts } from './session-artifacts.ts'
import { hiddenRounds } from '../tools/hidden-rounds.ts'
import type { HiddenRounds } from '../tools/hidden-rounds.ts'
import { sumUsage } from '../tools/sum-usage.ts'

/** What was decided about one request. */
export interface TurnReceipt {
  /** Unique; the store knows the receipt by it. */
  readonly requestId: string
  /** SHA-256 of the bytes to be sent. */
  readonly packId: string
  readonly outcome: Outcome
  readonly manifest: Manifest
  /** Of the stored manifest, for the host's logs; present where the request names a task and the session has `blobs`. */
  readonly manifestUri?: string
  /** Tokens of the request as it came, less those of what is to be sent, our own tools included: negative where it is more. */
  readonly savedTokens: number
  /** Why nothing was shortened; absent where something was. */
  readonly why?: WhyWhole
}

/** A request that is ready to be sent. */
export interface PackedRequest<Request> {
  /** The bytes to send. */
  readonly body: string
  /** The same as the caller gave it: an object, or the text. */
  readonly request: Request
  /** Absent where a step failed and the request goes on as it came; see `skipped`. */
  readonly receipt?: TurnReceipt
  /** The step that failed. `store` beside a receipt: the request is packed, but the store does not have the receipt. */
  readonly skipped?: string
  /**
   * The request to send next where the model asked for nothing but what was left out, with the reply to that given to `next`
   * again; undefined where the turn is over for the model.
   */
  next(reply: object | string): Promise<Request | undefined>
  /**
   * Files the last reply and gives it as the caller should see it: those of all rounds as one, without hidden calls. Throws `reply-refused`
   * where the policy's defense lets no reply pass that follows orders in data.
   */
  answered<ModelReply extends object | string>(reply: ModelReply): Promise<ModelReply>
  /** The provider refused the request, or never saw it: nothing of it is cached, nothing billed. */
  refused(status: number): Promise<void>
}

export interface Packed<Request> {
  readonly parts: SessionParts
  readonly session: Session
  readonly turn: SessionTurn | UnpackedTurn
  readonly received: WireExchange
  readonly request: Request
  readonly policy: Policy
  readonly situation?: Situation | undefined
  readonly guard: ReplyGuard
  readonly signal?: AbortSignal | undefined
  tell(event: CompileEvent): void
  readonly manifestUri?: string | undefined
  readonly artifacts: Pick<SessionArtifacts, 'answered'>
}

export function packedRequest<Request extends object | string>(packed: Packed<Request>): PackedRequest<Request> {
  const { turn, request, received, manifestUri } = packed
  if (turn.kind === 'unpacked') {
    const refused = refusedFor(packed, turn.error)
    if (refused) throw refused
    return asItCame(request, received.wire.body, turn.stage)
  }
  if (turn.refusal) throw turn.refusal
  const { requestId, packId, outcome, manifest, encoded, planned, why } = turn
  const body = encoded?.body ?? received.wire.body
  const savedTokens = savedBy(planned)
  return {
    body,
    request: inForm(request, body),
    receipt: {
      requestId,
      packId,
      outcome,
      manifest,
      savedTokens,
      ...(manifestUri !== undefined && { manifestUri }),
      ...(why && { why }),
    },
    ...(!turn.isFiled && { skipped: 'store' }),
    ...doorsOf({ ...packed, turn }),
  }
}

/** A request of which nothing was decided. */
export function asItCame<Request>(request: Request, body: string, skipped: string): PackedRequest<Request> {
  return {
    body,
    request,
    skipped,
    next: async () => undefined,
    answered: async (reply) => reply,
    refused: async () => undefined,
  }
}

interface Underway<Request> extends Packed<Request> {
  readonly turn: SessionTurn
}

type Doors<Request> = Pick<PackedRequest<Request>, 'next' | 'answered' | 'refused'>

function doorsOf<Request extends object | string>(underway: Underway<Request>): Doors<Request> {
  const { parts, session, turn, request, signal } = underway
  const { codec, requestId } = turn
  /** What cannot be filed costs nobody his reply. */
  const filing = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => parts.watch.failed('store', error, requestId))
  }
  const startedMs = parts.stopwatch()
  const rounds = hiddenRounds(parts, { session, turn, ...(signal && { host: { signal } }) })
  const markers = markerWriterFor(parts, turn)
  const texts: string[] = []
  const info = parts.modelInfo(turn.received.conversation.model)
  const result = (status: number, usages: readonly (Usage | undefined)[]): ReceiptResult => ({
    status,
    rehydrations: rounds?.answers.answered ?? 0,
    ...(rounds && rounds.answers.fetched.length > 0 && { fetched: rounds.answers.fetched }),
    ...(rounds && rounds.sent.length > 0 && { rounds: rounds.sent }),
    upstreamMs: Math.round(parts.stopwatch() - startedMs),
    overheadMs: 0,
    ...(markers && markers.written() > 0 && { markersWritten: markers.written() }),
    ...(rounds && rounds.withheld.taken > 0 && { callsWithheld: rounds.withheld.taken }),
    ...(turn.lost.all > 0 && { hiddenLost: turn.lost.all }),
    ...usageAndCost(turn, usages, info),
  })
  const alone = (text: string, end: StreamEnd | undefined): string =>
    rounds && end && !end.reply.failure ? withoutTools(codec, text, rounds.names) : text
  return {
    async next(reply) {
      const text = textOf(reply)
      const said = rounds && decoded(codec, text)
      if (!rounds || !said) return undefined
      const names = await rounds.withheld.namesIn(said)
      const end = codec.endOf(said, names)
      const body = end.mustContinue ? await rounds.next(end) : undefined
      if (body === undefined) return undefined
      texts.push(names === rounds.names ? text : codec.mergeReplies([text], names))
      return inForm(request, body)
    },
    async answered(reply) {
      const text = textOf(reply)
      const end = rounds && endOf(codec, rounds, text)
      const isWhole = !rounds || !end || (texts.length === 0 && !hasHiddenCalls(end.reply, rounds.names))
      const whole = isWhole ? alone(text, end) : codec.mergeReplies([...texts, text], rounds.names)
      const called = rounds?.clientCalls ? rewrittenReply(codec.calls, whole, rounds.clientCalls) : whole
      const written = markers ? await withMarkersWritten(markers, codec, called) : called
      const usages = [...texts, text].map((round) => codec.usageOf(round))
      // What it fetches stands in its receipt.
      if (rounds && end) await filing(rounds.file(end))
      await filing(session.answered(turn, result(200, usages), usages.slice(1)))
      guardReply(underway, written)
      await underway.artifacts.answered(turn, parts.store, decoded(codec, written))
      return written === text ? reply : inForm(reply, written)
    },
    refused(status) {
      const usages = texts.map((round) => codec.usageOf(round))
      return filing(session.refused(turn, result(status, usages), usages.slice(1)))
    },
  }
}

/** Tells of a reply that follows orders in data, or throws. What cannot be read says nothing. */
function guardReply({ guard, tell, turn, policy, situation, received }: Underway<unknown>, text: string): void {
  const action = replyAction({ policy, situation })
  const reply = action === 'off' ? undefined : decoded(turn.codec, text)
  if (reply === undefined) return
  const calls = reply.toolCalls.map((call) => call.arguments)
  const found = guard({ policy, situation }, received.conversation.items, { texts: [reply.text], calls })
  if (found === undefined) return
  if (action === 'reject') throw replyRefused(found)
  tell({ type: 'security', finding: found })
}

function usageAndCost(
  { planned }: SessionTurn,
  rounds: readonly (Usage | undefined)[],
  info: ModelInfo,
): Pick<ReceiptResult, 'usage' | 'cost'> {
  const usage = sumUsage(rounds)
  const cost = exchangeCost({ planned, rounds, info })
  return { ...(usage && { usage }), ...(cost && { cost }) }
}

function endOf(codec: Codec, rounds: HiddenRounds, text: string): StreamEnd | undefined {
  const reply = decoded(codec, text)
  return reply && codec.endOf(reply, rounds.names)
}

function decoded(codec: Codec, text: string): ModelReply | undefined {
  try {
    return codec.decodeReply(text)
  } catch {
    return undefined
  }
}

function textOf(value: object | string): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A body in the form in which the caller gave his: a text, or what it says. */
function inForm<Form extends object | string>(form: Form, body: string): Form {
  return (typeof form === 'string' ? body : JSON.parse(body)) as Form
}
