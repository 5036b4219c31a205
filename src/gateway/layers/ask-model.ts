import type { Conversation, ModelReply } from '../../core/index.ts'
import { PrehendError } from '../../core/index.ts'
import { plausibleUsage, priceOf } from '../../tokens/index.ts'
import { bodyOf, isSuccess } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Next } from '../exchange/layer.ts'
import { openTrace } from '../exchange/trace.ts'

/** Of the request for which a model is asked. */
type AskedBy = Pick<
  Exchange,
  'id' | 'tenant' | 'principal' | 'receivedMs' | 'method' | 'headers' | 'codec' | 'settings'
> &
  Partial<Pick<Exchange, 'wire'>>

export interface ModelCall {
  readonly by: AskedBy
  readonly asked: Conversation
  /** The layers that the call still passes. */
  readonly next: Next
  readonly signal: AbortSignal
  /** What the model writes, for messages. */
  readonly writes: string
  /** The setting that names the model. */
  readonly setting: string
}

/** Asks a model for a text of our own, with a request of its own, and bills that to its tenant. Rejects with `upstream-refused`. */
export async function askModel(
  parts: Pick<GatewayParts, 'stopwatch' | 'upstreams' | 'metrics' | 'catalogueOf'>,
  { by, asked, next, signal, writes, setting }: ModelCall,
): Promise<ModelReply> {
  const { id, tenant, principal, receivedMs, method, headers, codec, settings, wire } = by
  const { stopwatch, upstreams, metrics } = parts
  const { model, upstream } = upstreams.named(asked.model, tenant)
  const { body } = codec.write({ ...asked, model })
  const path = codec.pathTo({ model, stream: false })
  const own = codec.decode({ path, body, ...(wire?.headers && { headers: wire.headers }) })
  const reply = await next({
    ...own,
    id,
    kind: 'messages',
    tenant,
    principal,
    receivedMs,
    method,
    headers,
    codec,
    received: { exchange: own, bytes: Buffer.from(body) },
    body,
    collected: [],
    rewrites: [],
    restores: [],
    settings,
    isOwnCall: true,
    signal,
    trace: openTrace({ stopwatch, startedMs: stopwatch(), whenSent: () => undefined }),
    whenEnded: () => undefined,
    whenAnswered: () => undefined,
    ...(upstream !== undefined && { upstream }),
  })
  const { text } = await bodyOf(reply)
  const info = parts.catalogueOf(tenant).info(model)
  const usage = plausibleUsage(codec.usageOf(text), info)
  const usd = usage && priceOf(usage, info)
  if (usd !== undefined) {
    metrics.dollars.inc({ kind: 'spent', family: info.provider }, usd)
    metrics.roleDollars.inc({ role: 'summarizer', family: info.provider }, usd)
  }
  if (!isSuccess(reply))
    throw new PrehendError('upstream-refused', `The model that writes ${writes} answered ${reply.status}.`, {
      status: reply.status,
      said: '',
      remedy: `Look at ${setting}.`,
    })
  return codec.decodeReply(text)
}
