import { PrehendError, isPrehendError } from '../../core/index.ts'
import { withinDeadline } from '../../sessions/index.ts'
import type { LayerOutcome } from '../../stores/index.ts'
import type { Reply } from '../outlet/reply.ts'
import { errorCode } from '../../tracing/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import { isUnread } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer, Next } from '../exchange/layer.ts'
import { leavingOut } from './left-out.ts'

export interface LayerRun {
  readonly layers: readonly Layer[]
  /** The end of the way. */
  readonly last: Next
  /** Milliseconds since some moment; never goes back. */
  readonly stopwatch: () => number
  /** Told of layers that failed open. */
  readonly skipped: (name: string, error: unknown, requestId: string) => void
  /** Told of layers that failed closed. */
  readonly failed: (name: string, error: unknown, requestId: string) => void
}

/** The way through all layers, made once: the first of the list is the first to see a request and the last to see its reply. */
export function runLayers(run: LayerRun): Next {
  return run.layers.reduceRight<Next>((next, layer) => station(run, layer, next), run.last)
}

/** A layer on the way of the requests that it has to do with. */
function station(run: LayerRun, layer: Layer, next: Next): Next {
  const visit = visiting(run, layer, next)
  const stops = layer.failure === 'closed' && layer.takesUnread !== true
  return (exchange) => {
    if (stops && isUnread(exchange)) return stopped(layer, exchange)
    return isPassedBy(layer, exchange) ? next(exchange) : visit(exchange)
  }
}

/** What a layer that fails closed has not seen is not sent. */
function stopped(layer: Layer, exchange: Exchange): Promise<Reply> {
  exchange.trace.took({ name: layer.name, ms: 0, outcome: 'refused' }, exchange)
  return Promise.reject(unreadBy(layer, exchange))
}

function unreadBy({ name }: Layer, { unread }: Exchange): PrehendError {
  if (unread) return unread
  const remedy = 'Use a route that is read here, or do without the layer.'
  return new PrehendError('forbidden', `The layer ${JSON.stringify(name)} lets nothing pass unread. ${remedy}`, {
    remedy,
  })
}

function isPassedBy(layer: Layer, exchange: Exchange): boolean {
  try {
    return layer.appliesTo?.(exchange) === false
  } catch {
    return false
  }
}

/** A layer at work: timed, and left out or final when it fails. */
function visiting({ stopwatch, skipped, failed }: LayerRun, layer: Layer, next: Next): Next {
  return async (came) => {
    const { exchange, span } = within(layer, came)
    const further = onward(restoring(layer, next), stopwatch, span)
    const startedMs = stopwatch()
    let outcome: LayerOutcome = 'passed'
    try {
      const reply = await inTime(layer, exchange, further.next)
      outcome = further.outcome(exchange, reply)
      return reply
    } catch (error) {
      outcome = further.isChanged(exchange) ? 'changed' : 'passed'
      if (further.hasThrown(error) || exchange.signal.aborted) throw error
      span?.fail(errorCode(error))
      if (layer.failure === 'closed' || layer.failsClosed?.(came) === true) {
        outcome = isPrehendError(error) ? 'refused' : 'failed'
        failed(layer.name, error, exchange.id)
        throw failedClosed(layer.name, error)
      }
      outcome = 'skipped'
      const reply = further.unread()
      if (further.calls() > 0 && !reply) throw error
      leavingOut({ skipped }, exchange)(layer.name, error)
      return reply ?? (await further.next(exchange))
    } finally {
      const ms = stopwatch() - startedMs - further.ms()
      const stoppedAt = further.calls() === 0 && isStop(outcome) ? exchange : undefined
      const did = exchange.trace.took({ name: layer.name, ms, outcome }, stoppedAt)
      span?.set({ 'prehend.layer.outcome': did.outcome })
      span?.end()
    }
  }
}

/** What comes after a layer that can restore what it has masked. */
function restoring(layer: Layer, next: Next): Next {
  if (layer.restore === undefined) return next
  return (exchange) => {
    const restore = (text: string): string => layer.restore?.(text, exchange) ?? text
    return next({ ...exchange, restores: [restore, ...exchange.restores] })
  }
}

interface Within {
  readonly exchange: Exchange
  readonly span?: OpenSpan
}

/** A request within the span of a layer, where somebody traces. */
function within({ name }: Layer, exchange: Exchange): Within {
  if (exchange.span === undefined) return { exchange }
  const span = exchange.span.child(`prehend.layer ${name}`)
  span.set({ 'prehend.layer': name, 'prehend.items.in': exchange.conversation.items.length })
  return { exchange: { ...exchange, span }, span }
}

/** Rejects where a layer is late; whoever is late cannot ask any more. */
async function inTime(layer: Layer, exchange: Exchange, next: Next): Promise<Reply> {
  if (layer.limitMs === undefined) return layer.handle(exchange, next)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let isLate = false
  const work = layer.handle(exchange, async (asked) => {
    if (isLate) throw new Error('asked too late')
    begin()
    return next(asked)
  })
  try {
    await withinDeadline(Promise.race([work, begun]), layer.limitMs)
  } catch (error) {
    isLate = true
    throw error
  }
  return work
}

/** Whether a layer that has asked nobody let the request go no further. */
function isStop(outcome: LayerOutcome): boolean {
  return outcome === 'answered' || outcome === 'refused' || outcome === 'failed'
}

interface Onward {
  readonly next: Next
  /** Time that was spent further on. */
  ms(): number
  calls(): number
  hasThrown(error: unknown): boolean
  /** Whether what was asked is another request than the one that came. */
  isChanged(came: Exchange): boolean
  /** What the layer did that has given this reply. */
  outcome(came: Exchange, reply: Reply): LayerOutcome
  /** The last reply, as long as nobody has begun to read it. */
  unread(): Reply | undefined
}

/** The way after a layer, watched. */
function onward(next: Next, stopwatch: () => number, span: OpenSpan | undefined): Onward {
  const thrown = new Set<unknown>()
  let spentMs = 0
  let calls = 0
  let last: { readonly reply: Reply; readonly watched: Reply; isRead: boolean } | undefined
  let asked: Exchange | undefined
  const isChanged = (came: Exchange): boolean => asked !== undefined && !isSameRequest(came, asked)
  return {
    next: async (exchange: Exchange) => {
      const startedMs = stopwatch()
      calls += 1
      asked = exchange
      span?.set({ 'prehend.items.out': exchange.conversation.items.length })
      try {
        const reply = await next(exchange)
        const given = { reply, watched: watchedReply(reply, () => (given.isRead = true)), isRead: false }
        last = given
        return given.watched
      } catch (error) {
        thrown.add(error)
        throw error
      } finally {
        spentMs += stopwatch() - startedMs
      }
    },
    ms: () => spentMs,
    calls: () => calls,
    hasThrown: (error) => thrown.has(error),
    isChanged,
    outcome(came, reply) {
      if (calls === 0) return reply.status < 400 ? 'answered' : 'refused'
      return isChanged(came) || (last && !isSameReply(last.watched, reply)) ? 'changed' : 'passed'
    },
    unread: () => (last && !last.isRead ? last.reply : undefined),
  }
}

/** By what layers change of a request: each makes a new value of it. */
function isSameRequest(came: Exchange, asked: Exchange): boolean {
  const { conversation, wire, body, collected } = asked
  return (
    came.conversation === conversation &&
    came.wire === wire &&
    came.body === body &&
    came.collected.length === collected.length
  )
}

function isSameReply({ status, headers, pieces, filters }: Reply, given: Reply): boolean {
  return status === given.status && headers === given.headers && pieces === given.pieces && filters === given.filters
}

function watchedReply(reply: Reply, read: () => void): Reply {
  const { pieces } = reply
  return {
    ...reply,
    pieces: {
      [Symbol.asyncIterator]: () => {
        read()
        return pieces[Symbol.asyncIterator]()
      },
    },
  }
}

/** What a layer says to the client is passed on; what it did not foresee is told without its words. */
function failedClosed(name: string, error: unknown): PrehendError {
  if (isPrehendError(error)) return error
  const remedy = 'Try again; if it happens again, report it with the request id.'
  const message = `The layer ${JSON.stringify(name)} failed, and without it nothing is sent. ${remedy}`
  return new PrehendError('internal', message, { remedy }, error)
}
