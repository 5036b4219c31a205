import { missingIn } from './measures/recall.ts'
import { rehydration } from './rehydration.ts'
import type { RenderedMessage } from './render.ts'
import { askedBill, billed } from './replay-session.ts'
import type { ReplaySession } from './replay-session.ts'
import type { NeedlePlace } from './retention.ts'
import type { Strategy } from './strategy.ts'
import type { Trace, TraceMessage, TraceRequest } from './trace.ts'

export interface Settled {
  readonly cost: number
  readonly rehydrations: number
  /** What the model writes to ask for what it misses: not in the cost. */
  readonly callsCost: number
}

/**
 * The agent gets back what it misses: before an answer that needs a line which is not there, one more request for
 * every line. What comes back stands in the session from then on and is the strategy's to shrink.
 */
export function settledRun(
  trace: Trace,
  strategy: Strategy,
  session: ReplaySession,
  { withOwn = false } = {},
): Settled {
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
  { retention: kept, own, uses }: ReplaySession,
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
