import { isPrehendError } from '../../core/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { bodyOf, wholeReply } from '../outlet/reply.ts'
import type { Reply, ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { asking } from './asking.ts'
import type { Exchange } from './exchange.ts'
import type { Layer, Next } from './layer.ts'
import { trial } from './trial.ts'

/**
 * Asks other models where the one that was asked for cannot answer, in the order of the configuration. Each is packed for
 * anew: its cache, its window and its dialect are others. Where none answers, the client gets what the first one said.
 */
export function fallbackLayer(parts: GatewayParts): Layer {
  const fallbacksOf = ({ tenant }: Exchange): Fallbacks => settingsFor(parts.config, tenant).fallbacks
  return {
    name: 'fallback',
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
        const to = asking(parts, exchange, { name, id: `${exchange.id}~${index + 2}` })
        parts.logger.warn('fallback', {
          requestId: exchange.id,
          from: from.conversation.model,
          to: to.conversation.model,
          status: last.failed.status,
        })
        await last.told()
        exchange.trace.again()
        from = to
        last = await attempted(to, next, isPrehendError)
        if (!last.failed) exchange.trace.show({ 'x-prehend-fallback': name })
      }
      if (!last.failed || last === first) return last.give()
      await last.told()
      return first.give()
    },
  }
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
    const reply = await next(own.exchange)
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

/** A provider that could not be reached, or broke off. Of those that stand in, any error is one. */
function isOfProvider(error: unknown): error is PrehendError {
  return isPrehendError(error) && error.code.startsWith('upstream-')
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
