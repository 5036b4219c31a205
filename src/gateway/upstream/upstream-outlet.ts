import { invalidInput } from '../../core/index.ts'
import { sessionHeader } from '../../providers/index.ts'
import { dropsHeader } from '../access/dropped-headers.ts'
import { requestHeaders } from './forward-headers.ts'
import { isUnread, outgoingBody } from '../exchange/exchange.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Next } from '../exchange/layer.ts'
import { wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { answeringModel } from './answering-model.ts'
import { asAsked, crossedReply } from './crossed-reply.ts'
import { crossing } from './crossing.ts'
import { reasoningOwners } from './reasoning-owners.ts'
import type { ReasoningOwners } from './reasoning-owners.ts'
import { formed, replyOf } from './reply-of.ts'
import { withErrorStatus } from './reply-outcome.ts'
import { reservedCall } from './reserved-call.ts'
import { tracedCall } from './traced-call.ts'
import { wantedOf } from './upstreams.ts'
import type { UpstreamRoute } from './upstreams.ts'

/** The end of the way, and the only way to a provider: what the layers made of a request, sent. */
export function upstreamOutlet(parts: GatewayParts): Next {
  const owners = reasoningOwners(parts)
  return async (exchange) => {
    const { kind, wire } = exchange
    const route = parts.upstreams.for(wantedOf(exchange))
    if (route.dialect !== wire.dialect) return acrossTo(parts, exchange, route)
    const body = withUsageAsked(exchange, route, await withOwnReasoning(parts, { exchange, route, owners }))
    const reply = await sent(parts, exchange, {
      ...route,
      codec: exchange.codec,
      path: wire.path,
      headers: requestHeaders(exchange.headers, {
        keepCredentials: route.passCredentials,
        isDropped: dropsHeader(parts.config),
      }),
      ...(body !== undefined && { body }),
    })
    if (kind !== 'messages') return reply
    const noted = owners.noted(exchange, route.upstream.name, reply)
    return asAsked(exchange, await withErrorStatus(noted, exchange.codec))
  }
}

interface Owned {
  readonly exchange: Exchange
  readonly route: UpstreamRoute
  readonly owners: ReasoningOwners
}

/**
 * The body without reasoning that its provider has not written, which it would refuse. A stand-in of another family or at another address
 * did not write any of it, and is not sent what only the first provider can take back.
 */
async function withOwnReasoning(
  parts: GatewayParts,
  { exchange, route, owners }: Owned,
): Promise<string | Buffer | undefined> {
  const body = outgoingBody(exchange)
  const { codec, kind, conversation, trace, received } = exchange
  const isRead = (kind === 'messages' || kind === 'count-tokens') && !isUnread(exchange)
  if (body === undefined || !isRead || !codec.leaveReasoning) return body
  const standsIn = isOfAnother(parts, exchange, route)
  const elsewhere = standsIn ? codec.elsewhere?.(received.exchange) : undefined
  if (elsewhere !== undefined)
    throw invalidInput(elsewhere, 'only the model that was asked for can read it', 'Ask that one again.')
  const text = body.toString()
  const isForeign = await owners.foreignIn(exchange, route.upstream.name, text)
  const { body: own, left } = codec.leaveReasoning(text, { model: conversation.model, standsIn, isForeign })
  if (left === 0) return body
  trace.show({ 'x-prehend-lost': `reasoning ${left}` })
  return own
}

/** The body of a stream that reports what it used, to the gateway alone where the client has not asked. In other modes the client's bytes go as they came. */
function withUsageAsked(
  { codec, kind, conversation, received, settings, trace, unread }: Exchange,
  { streamUsage: asked }: UpstreamRoute,
  body: string | Buffer | undefined,
): string | Buffer | undefined {
  const { streamUsage } = codec
  const isStream = kind === 'messages' && conversation.stream && unread === undefined
  if (asked !== 'asked' || !isStream || settings.mode !== 'on' || body === undefined || streamUsage === undefined)
    return body
  if (streamUsage.isWanted(received.exchange)) return body
  trace.askUsage()
  return streamUsage.asked(body.toString())
}

/** Whether somebody else than the model that was asked for is to answer. */
function isOfAnother({ catalogueOf }: GatewayParts, exchange: Exchange, { upstream }: UpstreamRoute): boolean {
  const { standsInFor: first, tenant, conversation } = exchange
  if (first === undefined) return false
  const familyOf = (name: string): string => catalogueOf(tenant).info(name).provider
  return familyOf(first.conversation.model) !== familyOf(conversation.model) || first.server !== upstream.name
}

/** Asks a provider that speaks another dialect than the client. */
async function acrossTo(parts: GatewayParts, exchange: Exchange, route: UpstreamRoute): Promise<Reply> {
  // Its own way to count is of its own dialect; what is asked for here is counted here.
  if (exchange.kind === 'count-tokens') return wholeReply({ text: '{}' }, { status: 501 })
  const crossed = crossing(exchange, {
    isDropped: dropsHeader(parts.config),
    codec: parts.dialects.for(route.dialect),
    catalogue: parts.catalogueOf(exchange.tenant),
    passCredentials: route.passCredentials,
    refusesUsage: route.streamUsage === 'refused',
  })
  const reply = await sent(parts, exchange, { ...route, ...crossed })
  return crossedReply(exchange, crossed, reply)
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

/** What goes upstream is counted first against the budgets that it concerns. */
async function sent(parts: GatewayParts, exchange: Exchange, outgoing: Outgoing): Promise<Reply> {
  const { metrics, stopwatch, config } = parts
  const { method, signal, trace, kind, received, tenant } = exchange
  const { limits, timeouts } = settingsFor(config, tenant)
  const { upstream, codec, path, body } = outgoing
  const headers = withLargestWindow(parts, exchange, {
    ...sessionHeaders(upstream.name, exchange),
    ...outgoing.headers,
  })
  const call = await reservedCall(parts, exchange, { codec, body })
  trace.send(upstream.name)
  const catalogue = parts.catalogueOf(tenant)
  return tracedCall({ exchange, provider: upstream.name, codec, catalogue }, async () => {
    const askedMs = stopwatch()
    const asking = upstream.send({
      method,
      path,
      headers,
      signal,
      ...(timeouts !== config.timeouts && { timeouts }),
      ...(body !== undefined && { body }),
      ...(received.upload && { upload: received.upload }),
    })
    const answer = call ? await call.awaited(asking) : await asking
    metrics.firstByte.observe((stopwatch() - askedMs) / 1000)
    const read = await formed(answer, kind === 'messages' && exchange.conversation.stream)
    const form = kind === 'forward' ? 'raw' : read.form
    const reply = replyOf(read.answer, { form, codec, limits, contentMs: timeouts.contentMs })
    const answered = answeringModel(exchange, codec, reply)
    return call ? call.watched(answered) : answered
  })
}
