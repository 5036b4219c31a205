import type { Bill, BillingCache } from './cache-bill.ts'
import { overheadIn } from './counting.ts'
import type { Counting } from './counting.ts'
import type { MomentPrices } from './measures/moments.ts'
import { ownLines } from './measures/own-lines.ts'
import type { OwnLines } from './measures/own-lines.ts'
import { usesOf } from './measures/uses.ts'
import type { Uses } from './measures/uses.ts'
import { renderer } from './render.ts'
import type { RenderedMessage } from './render.ts'
import { retention } from './retention.ts'
import type { RetentionReport } from './retention.ts'
import type { StrategyRun } from './strategy.ts'
import type { Trace, TraceMessage, TraceRequest } from './trace.ts'

export interface ReplayOptions extends Counting {
  /** A cache for one session; every run gets its own. */
  openCache(): BillingCache
  /** What the cache charges, to tell savings by their moment; those of the plain rule by default. */
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

/** A recorded session, ready to be sent by strategies. */
export interface ReplaySession {
  readonly options: ReplayOptions
  readonly render: ReturnType<typeof renderer>
  readonly retention: RetentionReport
  readonly own: OwnLines
  readonly uses: Uses
}

export function openSession(trace: Trace, options: ReplayOptions): ReplaySession {
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

export const nothing: Bill = { tokens: 0, cachedTokens: 0, cost: 0 }

export interface Billing {
  readonly cache: BillingCache
  readonly session: ReplaySession
}

/** A request as it is sent, with its frames. */
export function billed(
  sent: readonly RenderedMessage[],
  request: TraceRequest,
  { cache, session: { render } }: Billing,
): Bill {
  return cache.bill(render.framed(request, sent), request.atMs)
}

export interface AskedBill extends Bill {
  /** Of the cost, what the model has written. */
  readonly writtenCost: number
}

/** What the strategy has had the model write for itself. */
export function askedBill(run: StrategyRun, request: TraceRequest, billing: Billing): AskedBill {
  const asked = run.asked?.()
  if (!asked) return { ...nothing, writtenCost: 0 }
  const bill = billed(asked.sent, request, billing)
  const writtenCost = asked.outputTokens * billing.session.options.outputPrice
  return { ...bill, cost: bill.cost + writtenCost, writtenCost }
}
