import { failureStatus } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { PrehendError, ModelReply as DecodedReply } from '../../core/index.ts'
import { bodyOf, wholeReply } from '../outlet/reply.ts'
import type { Reply, ReplyEnd } from '../outlet/reply.ts'
import { endedIn } from '../outlet/stream-watch.ts'
import { begunStream } from '../upstream/reply-outcome.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import type { LayerCounter } from '../telemetry/layer-metrics.ts'
import { wantedOf } from '../upstream/upstreams.ts'
import { asking } from './asking.ts'
import type { AskedInstead } from './asking.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer, Next } from '../exchange/layer.ts'
import { trial } from './trial.ts'

const stoodIn = {
  kind: 'counter',
  name: 'fallbacks_total',
  help: 'Models that were asked in place of another, by both names.',
  labels: { from: { most: 500 }, to: { most: 500 } },
} as const satisfies LayerCounter

/**
 * Asks other models where the one that was asked for cannot answer, in the order of the configuration. Each is packed for
 * anew: its cache, its window and its dialect are others. Where none answers, the client gets what the first one said.
 */
export function fallbackLayer(parts: GatewayParts): Layer {
  const fallbacksOf = ({ tenant }: Exchange): Fallbacks => settingsFor(parts.config, tenant).fallbacks
  return {
    name: 'fallback',
    metrics: [stoodIn],
    failure: 'closed',
    takesUnread: true,
    appliesTo: (exchange) =>
      exchange.kind === 'messages' && !exchange.unread && othersFor(fallbacksOf(exchange), exchange).length > 0,
    handle: async (exchange, next) => {
      const first = await attempted(exchange, next)
      let last = first
      let from = exchange
      for (const [index, name] of othersFor(fallbacksOf(exchange), exchange).entries()) {
        if (!last.failed) break
        const to = standingIn(parts, exchange, { name, id: `${exchange.id}~${index + 2}` })
        parts.logger.warn('fallback', {
          requestId: exchange.id,
          from: from.conversation.model,
          to: to.conversation.model,
          status: last.failed.status,
        })
        exchange.trace.count(stoodIn, { from: from.conversation.model, to: to.conversation.model })
        await last.told()
        exchange.trace.again()
        from = to
        last = await attempted(to, next, isPrehendError)
        if (!last.failed) exchange.trace.show({ 'x-prehend-fallback': name })
      }
      if (last === first) exchange.trace.did({ name: 'fallback' }, 'passed')
      if (!last.failed || last === first) return last.give()
      await last.told()
      exchange.trace.did({ name: 'fallback' }, 'passed')
      return first.give()
    },
  }
}

/** The client's key is for the upstream that it has asked, and goes to no other. */
function standingIn(parts: GatewayParts, exchange: Exchange, asked: AskedInstead): Exchange {
  const server = parts.upstreams.for(wantedOf(exchange)).upstream.name
  return { ...asking(parts, exchange, asked), standsInFor: { conversation: exchange.conversation, server } }
}

type Fallbacks = GatewayParts['config']['fallbacks']

function othersFor(fallbacks: Fallbacks, { conversation: { model }, upstream }: Exchange): readonly string[] {
  const names = [...(upstream === undefined ? [] : [`${upstream}/${model}`]), model]
  const name = names.find((known) => Object.hasOwn(fallbacks, known))
  return name === undefined ? [] : (fallbacks[name] ?? [])
}

/** One model's try. */
interface Attempt {
  /** Why another is to be asked; absent where the reply is the client's. */
  readonly failed?: ReplyEnd
  /** The reply, or what was thrown. */
  give(): Reply
  /** Tells who waits for the end of this try that it has come to nothing. */
  told(): Promise<void>
}

async function attempted(
  exchange: Exchange,
  next: Next,
  meansAnotherError: (error: unknown) => error is PrehendError = isOfProvider,
): Promise<Attempt> {
  const own = trial(exchange)
  /** What comes to its end with the client's request. */
  const given = <Result>(result: () => Result): Result => {
    own.counts()
    return result()
  }
  const failing = (failed: ReplyEnd, give: () => Reply): Attempt => ({ failed, give, told: () => own.failed(failed) })
  try {
    const answer = await next(own.exchange)
    const { reply, failure } = answer.form === 'stream' ? await begunStream(answer, exchange.codec) : { reply: answer }
    if (failure && meansAnother(failureStatus(failure))) {
      await reply.pieces[Symbol.asyncIterator]().return?.()
      const { status, body } = refusal(exchange, failure)
      return failing({ status }, () => ({
        ...wholeReply({ text: body, bytes: Buffer.from(body) }, { status }),
        form: 'raw',
      }))
    }
    if (!meansAnother(reply.status)) return { give: () => given(() => reply), told: async () => undefined }
    const held = await kept(reply)
    return failing({ status: reply.status }, () => held)
  } catch (error) {
    if (!meansAnotherError(error) || exchange.signal.aborted) throw error
    return failing({ status: 502, failure: error }, () => {
      throw error
    })
  }
}

/** What the client is told where nobody answers, in the place of a stream that has not begun. */
function refusal(
  { codec, id }: Exchange,
  failure: NonNullable<DecodedReply['failure']>,
): { status: number; body: string } {
  return { status: failureStatus(failure), body: codec.encodeError(endedIn(failure), id) }
}

/** A provider that could not be reached, or broke off. Of those that stand in, any error is one. */
function isOfProvider(error: unknown): error is PrehendError {
  if (!isPrehendError(error) || !error.code.startsWith('upstream-')) return false
  return error.code !== 'upstream-refused' || !('status' in error.data) || meansAnother(error.data.status)
}

/** Too many requests, and everything that is the provider's own trouble. */
function meansAnother(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** A refusal as it came, off its connection. */
async function kept(reply: Reply): Promise<Reply> {
  const { text, bytes = Buffer.from(text) } = await bodyOf(reply)
  return { ...wholeReply({ text, bytes }, reply), form: reply.form }
}
