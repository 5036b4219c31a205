import { sharedMessages } from './cache-bill.ts'
import type { Bill } from './cache-bill.ts'
import { compactions } from './measures/compactions.ts'
import type { Brief } from './measures/compactions.ts'
import { moments } from './measures/moments.ts'
import type { MomentPrices, RequestSavings } from './measures/moments.ts'
import { reading } from './measures/reading.ts'
import type { ReadingFigures } from './measures/reading.ts'
import { recall } from './measures/recall.ts'
import type { Kept, RecallFigures } from './measures/recall.ts'
import { rereading } from './measures/rereading.ts'
import type { RereadFigures } from './measures/rereading.ts'
import type { RenderedMessage } from './render.ts'
import { askedBill, billed, nothing, openSession } from './replay-session.ts'
import type { ReplayOptions, ReplaySession } from './replay-session.ts'
import { settledRun } from './settled-run.ts'
import type { Settled } from './settled-run.ts'
import type { Strategy } from './strategy.ts'
import type { Trace, TraceRequest } from './trace.ts'

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

function plainRun(
  trace: Trace,
  strategy: Strategy,
  session: ReplaySession,
): Omit<SessionFigures, 'settled' | 'settledAll'> {
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
function readerOf(trace: Trace, session: ReplaySession) {
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

function added(sums: Bill, bill: Bill): Bill {
  return {
    tokens: sums.tokens + bill.tokens,
    cachedTokens: sums.cachedTokens + bill.cachedTokens,
    cost: sums.cost + bill.cost,
  }
}
