import { sessionHeader } from '../../providers/index.ts'
import { requestHeaders } from '../http/forward-headers.ts'
import { isUnread, outgoingBody } from '../layers/exchange.ts'
import type { Exchange } from '../layers/exchange.ts'
import type { Next } from '../layers/layer.ts'
import { wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { answeringModel } from './answering-model.ts'
import { crossedReply } from './crossed-reply.ts'
import { crossing } from './crossing.ts'
import { formOf, replyOf } from './reply-of.ts'
import { tracedCall } from './traced-call.ts'
import type { UpstreamRoute } from './upstreams.ts'

/** The end of the way, and the only way to a provider: what the layers made of a request, sent. */
export function upstreamOutlet(parts: GatewayParts): Next {
  return async (exchange) => {
    const { wire, conversation, kind, tenant, upstream: name } = exchange
    const crosses = kind !== 'plain' && !isUnread(exchange)
    const route = parts.upstreams.for({ dialect: wire.dialect, model: conversation.model, name, crosses, tenant })
    if (route.dialect !== wire.dialect) return acrossTo(parts, exchange, route)
    const body = outgoingBody(exchange)
    return sent(parts, exchange, {
      ...route,
      codec: exchange.codec,
      path: wire.path,
      headers: requestHeaders(exchange.headers, route.passCredentials),
      ...(body !== undefined && { body }),
    })
  }
}

/** Asks a provider that speaks another dialect than the client. */
async function acrossTo(parts: GatewayParts, exchange: Exchange, route: UpstreamRoute): Promise<Reply> {
  // Its own way to count is of its own dialect; what is asked for here is counted here.
  if (exchange.kind === 'count-tokens') return wholeReply({ text: '{}' }, { status: 501 })
  const crossed = crossing(exchange, { ...route, catalogue: parts.catalogueOf(exchange.tenant) })
  const reply = await sent(parts, exchange, { ...route, ...crossed })
  return crossedReply(exchange, crossed.codec, reply)
}

/** The client's own word comes before ours, and so does what its body says, wherever a router reads both. */
function sessionHeaders(upstream: string, { sessionName }: Exchange): Readonly<Record<string, string>> {
  const header = sessionHeader(upstream)
  return header === undefined || sessionName === undefined ? {} : { [header]: sessionName }
}

type Headers = Readonly<Record<string, string>>

/** Asks for the larger window of a model that has one: a model that believes in a small window finishes early. The client's flags stay. */
function withLargestWindow({ catalogueOf }: GatewayParts, exchange: Exchange, headers: Headers): Headers {
  const { kind, conversation, tenant, settings } = exchange
  if ((kind !== 'messages' && kind !== 'count-tokens') || settings.mode !== 'on' || isUnread(exchange)) return headers
  const asked = catalogueOf(tenant).info(conversation.model).largerWindow?.header
  if (asked === undefined) return headers
  const flags = headers[asked.name]?.split(',').map((flag) => flag.trim()) ?? []
  return flags.includes(asked.value) ? headers : { ...headers, [asked.name]: [...flags, asked.value].join(',') }
}

interface Outgoing extends Pick<UpstreamRoute, 'upstream'>, Pick<Exchange, 'codec'> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

async function sent(parts: GatewayParts, exchange: Exchange, outgoing: Outgoing): Promise<Reply> {
  const { metrics, stopwatch, config } = parts
  const { method, signal, trace, kind, received, tenant } = exchange
  const { limits, timeouts } = settingsFor(config, tenant)
  const { upstream, codec, path, body } = outgoing
  const headers = withLargestWindow(parts, exchange, {
    ...sessionHeaders(upstream.name, exchange),
    ...outgoing.headers,
  })
  trace.send(upstream.name)
  return tracedCall({ exchange, provider: upstream.name, codec }, async () => {
    const askedMs = stopwatch()
    const answer = await upstream.send({
      method,
      path,
      headers,
      signal,
      ...(timeouts !== config.timeouts && { timeouts }),
      ...(body !== undefined && { body }),
      ...(received.upload && { upload: received.upload }),
    })
    metrics.firstByte.observe((stopwatch() - askedMs) / 1000)
    const reply = replyOf(answer, { form: kind === 'forward' ? 'raw' : formOf(answer), codec, limits })
    return answeringModel(exchange, codec, reply)
  })
}
