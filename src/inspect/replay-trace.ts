import { sharedMessages } from './cache-bill.ts'
import { rehydration } from './rehydration.ts'
import { renderer } from './render.ts'
import { retention } from './retention.ts'
import type { Bill, BillingCache } from './cache-bill.ts'
import type { RenderedMessage } from './render.ts'
import type { Retention } from './retention.ts'
import type { Strategy, StrategyRun } from './strategy.ts'
import type { Needle, Trace, TraceMessage, TraceRequest } from './trace.ts'

export interface ReplayOptions {
  count(text: string): number
  /** A cache for one session; every run gets its own. */
  openCache(): BillingCache
  /** Of a token that a model writes, in multiples of the plain input price. */
  readonly outputPrice: number
  /** Milliseconds, for timing the strategies. */
  clock(): number
}

/** What sending one session by one strategy came to. */
export interface SessionFigures {
  readonly requests: number
  readonly tokens: number
  readonly cachedTokens: number
  readonly breaks: number
  readonly cost: number
  /** Absent without needles. */
  readonly retained?: { readonly needles: number; readonly strings: number; readonly lines: number }
  readonly settled?: { readonly cost: number; readonly rehydrations: number }
  /** Time that the strategy took for each request. */
  readonly milliseconds: readonly number[]
}

/** Sends a recorded session by one strategy: once as it is and, where lines were missed, once with rehydration. */
export function replayTrace(trace: Trace, strategy: Strategy, options: ReplayOptions): SessionFigures {
  const session = openSession(trace, options)
  const figures = plainRun(trace, strategy, session)
  if (trace.needles === undefined) return figures
  const missed = figures.retained === undefined || figures.retained.lines < figures.retained.needles
  const settled = missed ? settledRun(trace, strategy, session) : { cost: figures.cost, rehydrations: 0 }
  return { ...figures, settled }
}

interface Session {
  readonly options: ReplayOptions
  readonly render: ReturnType<typeof renderer>
  readonly retention: Retention
}

function openSession(trace: Trace, options: ReplayOptions): Session {
  const messages = new Map<string, TraceMessage>()
  for (const request of trace.requests) for (const message of request.messages) messages.set(message.id, message)
  return { options, render: renderer(options.count), retention: retention(messages) }
}

function plainRun(trace: Trace, strategy: Strategy, session: Session): SessionFigures {
  const cache = session.options.openCache()
  const run = strategy.start(session.render)
  const retained = { needles: 0, strings: 0, lines: 0 }
  const milliseconds: number[] = []
  let sums = nothing
  let breaks = 0
  let previous: readonly RenderedMessage[] = []
  for (const [index, request] of trace.requests.entries()) {
    const began = session.options.clock()
    const sent = run.next(request)
    milliseconds.push(session.options.clock() - began)
    sums = added(sums, askedBill(run, request, { cache, session }))
    sums = added(sums, cache.bill(sent, request.atMs))
    if (sharedMessages(previous, sent) < previous.length) breaks += 1
    previous = sent
    for (const needle of trace.needles?.get(index) ?? []) {
      retained.needles += 1
      if (session.retention.hasNeedle(needle, sent)) retained.strings += 1
      if (session.retention.hasLine(needle, sent)) retained.lines += 1
    }
  }
  const figures = { requests: trace.requests.length, ...sums, breaks, milliseconds }
  return trace.needles === undefined ? figures : { ...figures, retained }
}

const nothing: Bill = { tokens: 0, cachedTokens: 0, cost: 0 }

interface Billing {
  readonly cache: BillingCache
  readonly session: Session
}

/** What the strategy has had the model write for itself. */
function askedBill(run: StrategyRun, { atMs }: TraceRequest, { cache, session }: Billing): Bill {
  const asked = run.asked?.()
  if (!asked) return nothing
  const bill = cache.bill(asked.sent, atMs)
  return { ...bill, cost: bill.cost + asked.outputTokens * session.options.outputPrice }
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
function settledRun(trace: Trace, strategy: Strategy, session: Session) {
  const cache = session.options.openCache()
  const run = strategy.start(session.render)
  const hidden = new Map<string, readonly TraceMessage[]>()
  let cost = 0
  let rehydrations = 0
  for (const [index, recorded] of trace.requests.entries()) {
    const request = withHidden(recorded, hidden)
    let sent = run.next(request)
    cost += askedBill(run, request, { cache, session }).cost
    cost += cache.bill(sent, request.atMs).cost
    for (const needle of trace.needles?.get(index) ?? []) {
      const fetched = fetchLine({ needle, sent, run, session, ordinal: rehydrations })
      if (fetched === undefined) continue
      rehydrations += 1
      const after = request.messages.at(-1)?.id ?? ''
      hidden.set(after, [...(hidden.get(after) ?? []), ...fetched])
      sent = [...sent, ...fetched.map((message) => session.render.asRecorded(message))]
      cost += cache.bill(sent, request.atMs).cost
    }
  }
  return { cost, rehydrations }
}

function withHidden(request: TraceRequest, hidden: ReadonlyMap<string, readonly TraceMessage[]>): TraceRequest {
  if (hidden.size === 0) return request
  return { ...request, messages: request.messages.flatMap((message) => [message, ...(hidden.get(message.id) ?? [])]) }
}

interface Fetch {
  readonly needle: Needle
  readonly sent: readonly RenderedMessage[]
  readonly run: StrategyRun
  readonly session: Session
  readonly ordinal: number
}

/** The hidden call and its result; undefined where the line is there. */
function fetchLine({ needle, sent, run, session, ordinal }: Fetch): readonly TraceMessage[] | undefined {
  if (session.retention.hasLine(needle, sent)) return undefined
  const place = session.retention.placeOf(needle)
  if (place === undefined) return undefined
  return rehydration({ place, ordinal, handle: run.handleOf?.(place.message.id) })
}
