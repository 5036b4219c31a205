import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorPlaces } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { Authenticate } from './authenticate.ts'
import { guardOf } from './guard-of.ts'
import { requestHeaders } from './forward-headers.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { prepare } from './prepare.ts'
import type { Prepared } from './prepare.ts'
import { readBody } from './read-body.ts'
import { deliver } from './outlet/deliver.ts'
import { filtered } from './outlet/reply.ts'
import { replyOf } from './upstream/reply-of.ts'
import { hiddenRounds } from './hidden-rounds.ts'
import { joinedReply } from './layers/session/joined-reply.ts'
import { splicedReply } from './layers/session/spliced-reply.ts'
import { sendError, toPrehendError } from './respond.ts'
import { clientClosedRequest, fileFailure, settle } from './settle.ts'
import type { Settled } from './settle.ts'
import type { ToolOffer, Turn } from './turn.ts'

export interface ModelRoute {
  readonly codec: Codec
  readonly path: string
  readonly authenticate: Authenticate
}

export interface RouteRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

/** Decode, collect, compile, forward, encode: one model request from end to end. Never rejects. */
export async function handleModelRequest(
  parts: GatewayParts,
  route: ModelRoute,
  { request, response, requestId }: RouteRequest,
): Promise<void> {
  const abort = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new Error('the client closed the connection'))
  })
  let prepared: Prepared | undefined
  let times = { overheadMs: 0, upstreamMs: 0 }
  try {
    const tenant = route.authenticate(request.headers)
    const body = await readBody(request, parts.config.limits.bodyBytes)
    const startedMs = parts.stopwatch()
    prepared = await prepare(parts, {
      codec: route.codec,
      path: route.path + queryOf(request.url),
      tenant,
      headers: request.headers,
      body,
      requestId,
    })
    if (prepared.session) prepared.session.users += 1
    const overheadMs = parts.stopwatch() - startedMs
    times = { overheadMs, upstreamMs: 0 }
    const context = { route, request, response, requestId, prepared, overheadMs, signal: abort.signal }
    const end = await answered(parts, context)
    times = { overheadMs, upstreamMs: parts.stopwatch() - startedMs - overheadMs }
    await settle(parts, { requestId, prepared, end, ...times })
  } catch (error) {
    const status = await refuse(parts, { route, error, response, requestId, gone: abort.signal.aborted })
    if (prepared) await fileFailure(parts, { requestId, prepared, status, error, ...times })
  } finally {
    if (prepared?.session) prepared.session.users -= 1
  }
}

interface TurnContext extends RouteRequest {
  readonly route: ModelRoute
  readonly prepared: Prepared
  readonly overheadMs: number
  readonly signal: AbortSignal
}

/** Sends a request upstream, and what comes back to the client. */
async function answered(parts: GatewayParts, context: TurnContext): Promise<Settled['end']> {
  const { route, request, response, requestId, prepared, overheadMs, signal } = context
  const { codec } = route
  const { received, body, stored } = prepared
  const { upstream, passCredentials } = parts.upstreams.for(received.wire.dialect, received.conversation.model)
  const headers = requestHeaders(request.headers, passCredentials)
  const path = route.path + queryOf(request.url)
  const send: Turn['send'] = async (next) =>
    replyOf(await upstream.send({ method: 'POST', path, headers, body: next, signal }))
  const markers = guardOf(parts, { prepared, requestId })
  const offer = offerOf(prepared)
  const turn: Turn = { parts, codec, requestId, received, send, stored }
  const first = await send(body)
  const rounds = offer && first.form !== 'raw' ? hiddenRounds(turn, offer) : undefined
  const plain = !rounds
    ? first
    : first.form === 'stream'
      ? splicedReply(turn, rounds, first)
      : await joinedReply(turn, rounds, first)
  const shown = markers ? filtered(plain, markers) : plain
  const ours = { ...ourHeaders({ requestId, prepared, overheadMs }), 'x-prehend-upstream': upstream.name }
  const end = await deliver(
    {
      response,
      codec,
      requestId,
      signal,
      headers: plain.form === 'raw' ? { ...ours, 'x-request-id': plain.headers['x-request-id'] ?? requestId } : ours,
      skipped: (name, error) => parts.skipped(name, error, requestId),
    },
    { ...shown, promised: [stored] },
  )
  return { ...end, rehydrations: rounds?.answered ?? 0, markersWritten: markers?.written ?? 0 }
}

/** Query strings choose variants of a route, such as `?beta=true`. */
function queryOf(url = ''): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

function offerOf({ packed, session, mode }: Prepared): ToolOffer | undefined {
  if (mode !== 'on' || !session || !packed?.encoded?.offersTool) return undefined
  const { exchange, manifest, encoded } = packed
  const roomTokens = manifest.windowTokens - manifest.reserveTokens - manifest.packTokens
  return { session, exchange, pack: encoded.pack, roomChars: Math.max(0, roomTokens) * charsPerToken }
}

/** Low, so that what is cut by characters fits in tokens. */
const charsPerToken = 3

function ourHeaders({
  requestId,
  prepared,
  overheadMs,
}: Pick<TurnContext, 'requestId' | 'prepared' | 'overheadMs'>): Record<string, string> {
  const { packed, mode, skipped } = prepared
  const common = {
    'x-request-id': requestId,
    'x-prehend-request-id': requestId,
    'x-prehend-mode': mode,
    'x-prehend-overhead-ms': overheadMs.toFixed(2),
    ...(skipped !== undefined && { 'x-prehend-skipped': skipped }),
  }
  if (!packed) return common
  const { manifest } = packed
  return {
    ...common,
    'x-prehend-pack-id': manifest.packHash,
    'x-prehend-saved-tokens': String(manifest.originalTokens - manifest.packTokens),
    ...(manifest.epoch && { 'x-prehend-cache': `${manifest.epoch.decision}; ${manifest.epoch.cause}` }),
    ...(manifest.outcome !== 'ok' && { 'x-prehend-outcome': manifest.outcome }),
  }
}

interface Refusal {
  readonly route: ModelRoute
  readonly error: unknown
  readonly response: ServerResponse
  readonly requestId: string
  readonly gone: boolean
}

/** Ends a request that has no reply: in the dialect's words, or, once a body has begun, by breaking it off. Gives the status. */
async function refuse(parts: GatewayParts, { route, error, response, requestId, gone }: Refusal): Promise<number> {
  const { metrics, logger } = parts
  if (gone) {
    metrics.aborts.inc()
    logger.info('client-gone', { requestId })
    return clientClosedRequest
  }
  if (response.headersSent) response.destroy()
  const known = toPrehendError(error)
  const { code } = known
  const status = errorPlaces[code].httpStatus
  metrics.requests.inc({ route: route.codec.dialect, status: `${Math.floor(status / 100)}xx` })
  if (code.startsWith('upstream-')) metrics.upstreamFailures.inc({ reason: code })
  if (code === 'internal') logger.error('internal', { requestId, reason: reasonOf(error) })
  else logger.info('refused', { requestId, code })
  await sendError(response, { error: known, codec: route.codec, requestId })
  return status
}

/** The place an unforeseen error came from; its message may quote what a client sent, so it is left out. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return `${error.name} ${error.stack?.split('\n').slice(1, 3).join(' ').trim() ?? ''}`
}
