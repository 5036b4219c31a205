import { requestHeaders } from '../http/forward-headers.ts'
import { outgoingBody } from '../layers/exchange.ts'
import type { Next } from '../layers/layer.ts'
import { replyOf } from './reply-of.ts'
import type { Upstreams } from './upstreams.ts'

/** The end of the way, and the only way to a provider: what the layers made of a request, sent. */
export function upstreamOutlet(upstreams: Upstreams): Next {
  return async (exchange) => {
    const { wire, conversation, method, headers, signal, trace } = exchange
    const { upstream, passCredentials } = upstreams.for(wire.dialect, conversation.model)
    const body = outgoingBody(exchange)
    trace.send(upstream.name)
    const answer = await upstream.send({
      method,
      path: wire.path,
      headers: requestHeaders(headers, passCredentials),
      signal,
      ...(body !== undefined && { body }),
    })
    return replyOf(answer)
  }
}
