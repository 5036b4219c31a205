import { sharedMessages } from './cache-bill.ts'
import { rehydration } from './rehydration.ts'
import { renderer } from './render.ts'
import { retention } from './retention.ts'
import { compactions } from './measures/compactions.ts'
import type { Brief } from './measures/compactions.ts'
import { moments } from './measures/moments.ts'
import { missingIn, recall } from './measures/recall.ts'
import { rereading } from './measures/rereading.ts'
import { reading } from './measures/reading.ts'
import { ownLines } from './measures/own-lines.ts'
import type { OwnLines } from './measures/own-lines.ts'
import { usesOf } from './measures/uses.ts'
import type { MomentPrices, RequestSavings } from './measures/moments.ts'
import type { Kept, RecallFigures } from './measures/recall.ts'
import type { RereadFigures } from './measures/rereading.ts'
import type { ReadingFigures } from './measures/reading.ts'
import type { Uses } from './measures/uses.ts'
import type { Bill, BillingCache } from './cache-bill.ts'
import { overheadIn } from './counting.ts'
import type { Counting } from './counting.ts'
import type { RenderedMessage } from './render.ts'
import type { NeedlePlace, Retention } from './retention.ts'
import type { Strategy, StrategyRun } from './strategy.ts'
import type { Trace, TraceMessage, TraceRequest } from './trace.ts'

export interface ReplayOptions extends Counting {
  /** A cache for one session; every run gets its own. */
  openCache(): BillingCache
  /** What the cache charges, to tell savings by their moment; those of the plain rule unless told. */
  readonly prices?: MomentPrices
  /** Of a token that a model writes, in multiples of the plain input price. */
  readonly outputPrice: number
  /** Tokens that a request may have; as many as it likes where absent. */
  readonly windowTokens?: number | undefined
  /** Milliseconds, for timing the strategies. */
  clock(): number
  /** Told of every request as it was billed, in their order; not of those that would fetch what is missing. */
  billed?(bill: Bill & { readonly unpacked: string | undefined }): void
}

/** What sending one session by one strategy came to. */
export interface SessionFigures extends ReadingFigures {
  readonly requests: number
  readonly tokens: number
  readonly cachedTokens: number
  readonly breaks: number
  readonly cost: number
  /** Of the cost, what the strategy has had the model write. */
  readonly writtenCost: number
  /** Of the cost, what the strategy has asked the model for itself: what it read and what it wrote. */
  readonly askedCost: number
  /** Tokens of what the strategy adds itself: the definition of our tool, summaries. */
  readonly injectedTokens: number
  /** What the recorded answers cost, in plain input tokens: in no other figure, and the same for every strategy. */
  readonly answersCost: number
  /** Of what needles tell, absent without them. */
  readonly recall: RecallFigures
  /** How often what stands for compacted messages was written anew. */
  readonly compactions: number
  readonly rereading: RereadFigures
  readonly hasNeedles: boolean
  /** Requests that were sent as they came, by what forbade to pack them. */
  readonly unpacked: Counts
  /**
   * Requests that no answer would come to: they exceed the window, or the policy sends nothing in their place. They are billed as if they had been
   * answered, so that a strategy gains nothing by them, and nothing of theirs counts as recalled.
   */
  readonly refused: number
  /** With every missing line of a needle brought back; absent without needles. */
  readonly settled?: Settled
  /** With every missing line of the agent's own and every missing line that an edit quotes, too. */
  readonly settledAll: Settled
  /** Time that the strategy took for each request. */
  readonly milliseconds: readonly number[]
  /** What each request came to. */
  readonly steps: readonly StepFigures[]
}

/** What one request of a session came to. */
export interface StepFigures {
  readonly tokens: number
  readonly cost: number
  /** Results of tools that it holds as it was recorded. */
  readonly results: number
  /** What is saved in it, by when it was taken out. */
  readonly savings: RequestSavings
}

/** How often each of these names came. */
export type Counts = ReadonlyMap<string, number>

export interface Settled {
  readonly cost: number
  readonly rehydrations: number
  /** What the model writes to ask for what it misses: not in the cost. */
  readonly callsCost: number
}

/** Sends a recorded session by one strategy: once as it is and, where lines were missed, again with rehydration. */
export function replayTrace(trace: Trace, strategy: Strategy, options: ReplayOptions): SessionFigures {
  const session = openSession(trace, options)
  const figures = plainRun(trace, strategy, session)
  const asItIs: Settled = { cost: figures.cost, rehydrations: 0, callsCost: 0 }
  const { lines, ownLines: ownKept, edits } = figures.recall
  const settled = isWhole(lines) ? asItIs : settledRun(trace, strategy, session)
  const settledAll =
    isWhole(ownKept) && isWhole(edits) ? settled : settledRun(trace, strategy, session, { withOwn: true })
  return { ...figures, ...(figures.hasNeedles && { settled }), settledAll }
}

function isWhole({ of, kept }: Kept): boolean {
  return kept === of
}

interface Session {
  readonly options: ReplayOptions
  readonly render: ReturnType<typeof renderer>
  readonly retention: Retention
  readonly own: OwnLines
  readonly uses: Uses
}

function openSession(trace: Trace, options: ReplayOptions): Session {
  const messages = new Map<string, TraceMessage>()
  for (const request of trace.requests) for (const message of request.messages) messages.set(message.id, message)
  return {
    options,
    render: renderer({ ...options, ...(options.overhead && { overhead: overheadIn(trace, options.overhead) }) }),
    retention: retention(messages),
    own: ownLines(messages),
    uses: usesOf(trace),
  }
}

function plainRun(trace: Trace, strategy: Strategy, session: Session): Omit<SessionFigures, 'settled' | 'settledAll'> {
  const cache = session.options.openCache()
  const run = strategy.start(session.render)
  const reader = readerOf(trace, session)
  const saved = moments(session.options.prices ?? plainPrices, (message) => session.render.asRecorded(message).tokens)
  const milliseconds: number[] = []
  const unpacked = new Map<string, number>()
  let sums = nothing
  let writtenCost = 0
  let askedCost = 0
  let injectedTokens = 0
  let answerTokens = 0
  let breaks = 0
  let refused = 0
  const steps: StepFigures[] = []
  let previous: readonly RenderedMessage[] = []
  for (const [index, request] of trace.requests.entries()) {
    const began = session.options.clock()
    const sent = run.next(request)
    milliseconds.push(session.options.clock() - began)
    const why = run.unpacked?.()
    if (why !== undefined) unpacked.set(why, (unpacked.get(why) ?? 0) + 1)
    const asked = askedBill(run, request, { cache, session })
    writtenCost += asked.writtenCost
    askedCost += asked.cost
    injectedTokens += sent.reduce((sum, { sourceId, tokens }) => (sourceId === '' ? sum + tokens : sum), 0)
    const bill = billed(sent, request, { cache, session })
    session.options.billed?.({ ...added(bill, asked), unpacked: why })
    const savings = saved.look({ request, sent }, run.began?.())
    steps.push({ tokens: bill.tokens, cost: asked.cost + bill.cost, results: resultsIn(request), savings })
    sums = added(added(sums, asked), bill)
    if (sharedMessages(previous, sent) < previous.length) breaks += 1
    previous = sent
    answerTokens += request.answerTokens ?? (request.answer ? session.render.writtenTokens(request.answer) : 0)
    const isRefused = noPack.has(why ?? '') || bill.tokens > (session.options.windowTokens ?? Infinity)
    if (isRefused) refused += 1
    reader.look(index, request, { sent, isRefused, brief: run.brief?.() })
  }
  return {
    requests: trace.requests.length,
    ...sums,
    writtenCost,
    askedCost,
    injectedTokens,
    answersCost: answerTokens * session.options.outputPrice,
    breaks,
    unpacked,
    refused,
    milliseconds,
    steps,
    hasNeedles: trace.needles !== undefined,
    ...reader.figures(),
  }
}

interface Read {
  readonly sent: readonly RenderedMessage[]
  /** No answer comes to a refused request, so that nothing of it is read. */
  readonly isRefused: boolean
  readonly brief: Brief | undefined
}

/** Follows what a reader of the requests of a session finds in them. */
function readerOf(trace: Trace, session: Session) {
  const compacted = compactions()
  const recalled = recall({ trace, ...session, goneThrough: compacted.goneThrough })
  const reread = rereading()
  const read = reading(session.uses.failures)
  return {
    look(index: number, request: TraceRequest, { sent, isRefused, brief }: Read): void {
      compacted.look(brief)
      recalled.look(index, request, isRefused ? [] : sent)
      reread.look(request, isRefused ? [] : sent)
      if (!isRefused) read.look(request, sent, brief?.text)
    },
    figures: () => ({
      recall: recalled.figures(),
      compactions: compacted.count(),
      rereading: reread.figures(),
      ...read.figures(),
    }),
  }
}

/** Outcomes of a compile after which nothing that fits can be sent. */
const noPack: ReadonlySet<string> = new Set(['budget-exhausted', 'split-required', 'paginated'])

function resultsIn({ messages }: TraceRequest): number {
  return messages.reduce((sum, { items }) => sum + items.filter(({ kind }) => kind === 'tool-result').length, 0)
}

const plainPrices: MomentPrices = { read: 0.1, write: 1, ttlMs: Infinity }

const nothing: Bill = { tokens: 0, cachedTokens: 0, cost: 0 }

interface Billing {
  readonly cache: BillingCache
  readonly session: Session
}

function billed(
  sent: readonly RenderedMessage[],
  request: TraceRequest,
  { cache, session: { render } }: Billing,
): Bill {
  return cache.bill(render.framed(request, sent), request.atMs)
}

/** What the strategy has had the model write for itself. */
function askedBill(
  run: StrategyRun,
  request: TraceRequest,
  billing: Billing,
): Bill & Pick<SessionFigures, 'writtenCost'> {
  const asked = run.asked?.()
  if (!asked) return { ...nothing, writtenCost: 0 }
  const bill = billed(asked.sent, request, billing)
  const writtenCost = asked.outputTokens * billing.session.options.outputPrice
  return { ...bill, cost: bill.cost + writtenCost, writtenCost }
}

function added(sums: Bill, bill: Bill): Bill {
  return {
    tokens: sums.tokens + bill.tokens,
    cachedTokens: sums.cachedTokens + bill.cachedTokens,
    cost: sums.cost + bill.cost,
  }
}

/**
 * The agent gets back what it misses: before an answer that needs a line which is not there, one more request for
 * every line. What comes back stands in the session from then on and is the strategy's to shrink.
 */
function settledRun(trace: Trace, strategy: Strategy, session: Session, { withOwn = false } = {}): Settled {
  const cache = session.options.openCache()
  const run = strategy.start(session.render)
  const hidden = new Map<string, readonly TraceMessage[]>()
  let cost = 0
  let callsCost = 0
  let rehydrations = 0
  for (const [index, recorded] of trace.requests.entries()) {
    const request = withHidden(recorded, hidden)
    let sent = run.next(request)
    cost += askedBill(run, request, { cache, session }).cost
    cost += billed(sent, request, { cache, session }).cost
    for (const missing of missingPlaces(trace, session, { index, withOwn })) {
      const place = missing(sent)
      if (place === undefined) continue
      const fetched = rehydration({ place, ordinal: rehydrations, handle: run.handleOf?.(place.message.id) })
      rehydrations += 1
      const after = request.messages.at(-1)?.id ?? ''
      hidden.set(after, [...(hidden.get(after) ?? []), ...fetched])
      const calls = fetched.filter(({ role }) => role === 'assistant')
      const written = calls.reduce((sum, message) => sum + session.render.writtenTokens(message), 0)
      callsCost += written * session.options.outputPrice
      sent = [...sent, ...fetched.map((message) => session.render.asRecorded(message))]
      cost += billed(sent, request, { cache, session }).cost
    }
  }
  return { cost, rehydrations, callsCost }
}

/** Where a line that an answer needs would be fetched from; undefined where it is there. */
type Missing = (sent: readonly RenderedMessage[]) => NeedlePlace | undefined

/** For each line that the answer to a request needs: the needles', then the agent's own, then those that its edits quote. */
function missingPlaces(
  trace: Trace,
  { retention: kept, own, uses }: Session,
  { index, withOwn }: { readonly index: number; readonly withOwn: boolean },
): readonly Missing[] {
  const needles = (trace.needles?.get(index) ?? []).map(
    (needle): Missing =>
      (sent) =>
        kept.hasLine(needle, sent) ? undefined : kept.placeOf(needle),
  )
  if (!withOwn) return needles
  const written = (uses.ownStrings.get(index) ?? []).map(
    (one): Missing =>
      (sent) =>
        own.has(one, sent) ? undefined : own.placeOf(one.text, one.sources),
  )
  const quoted = (uses.edits.get(index) ?? []).flatMap(({ lines }) =>
    lines.map(
      (line): Missing =>
        (sent) =>
          missingIn([line], sent).length === 0 ? undefined : own.placeOf(line.text, line.sources),
    ),
  )
  return [...needles, ...written, ...quoted]
}

function withHidden(request: TraceRequest, hidden: ReadonlyMap<string, readonly TraceMessage[]>): TraceRequest {
  if (hidden.size === 0) return request
  return { ...request, messages: request.messages.flatMap((message) => [message, ...(hidden.get(message.id) ?? [])]) }
}
