import { requestHeaders } from '../http/forward-headers.ts'
import { outgoingBody } from '../layers/exchange.ts'
import type { Next } from '../layers/layer.ts'
import type { GatewayParts } from '../parts.ts'
import { formOf, replyOf } from './reply-of.ts'

/** The end of the way, and the only way to a provider: what the layers made of a request, sent. */
export function upstreamOutlet({ upstreams, metrics, stopwatch, config: { limits } }: GatewayParts): Next {
  return async (exchange) => {
    const { wire, conversation, method, headers, signal, trace, kind, codec, received } = exchange
    const { upstream, passCredentials } = upstreams.for(wire.dialect, conversation.model)
    const body = outgoingBody(exchange)
    trace.send(upstream.name)
    const askedMs = stopwatch()
    const answer = await upstream.send({
      method,
      path: wire.path,
      headers: requestHeaders(headers, passCredentials),
      signal,
      ...(body !== undefined && { body }),
      ...(received.upload && { upload: received.upload }),
    })
    metrics.firstByte.observe((stopwatch() - askedMs) / 1000)
    return replyOf(answer, { form: kind === 'forward' ? 'raw' : formOf(answer), codec, limits })
  }
}
