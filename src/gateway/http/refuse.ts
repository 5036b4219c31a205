import type { PrehendError } from '../../core/index.ts'
import { clientStatus } from '../../codecs/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ClientResponse } from '../outlet/client.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { GatewayParts } from '../parts.ts'
import { answerLabels } from '../recording/answer-labels.ts'
import type { LogFields } from '../telemetry/logger.ts'
import { askedBy } from '../recording/asked-by.ts'
import { loggedPath } from '../telemetry/turned-away.ts'
import type { ProviderRoute } from './provider-route.ts'
import { sendError, toPrehendError } from '../outlet/respond.ts'

interface Refusal {
  /** Absent where the request was refused before it was read. */
  readonly exchange?: Exchange | undefined
  readonly route: ProviderRoute
  readonly error: unknown
  readonly response: ClientResponse
  readonly requestId: string
  /** The address that has asked; absent where it stands in the line of the request. */
  readonly from?: string
  readonly gone: boolean
}

/** Seen from our side only: the client did not wait for a status. */
const clientClosedRequest = 499

/** Ends a request that has no reply: in the dialect's words, or, once a body has begun, by breaking it off. */
export async function refuse(
  parts: GatewayParts,
  { route, exchange, error, response, requestId, from, gone }: Refusal,
): Promise<ReplyEnd> {
  const { metrics, logger } = parts
  const failure = toPrehendError(error)
  if (gone) {
    metrics.aborts.inc()
    metrics.answers.inc({ ...answerLabels(parts, exchange), status: String(clientClosedRequest) })
    logger.info('client-gone', { requestId })
    return { status: clientClosedRequest, failure, isAbandoned: true }
  }
  if (response.headersSent) response.destroy()
  const { code } = failure
  const status = clientStatus(failure)
  metrics.answers.inc({ ...answerLabels(parts, exchange), status: String(status) })
  const counted = countedAs(route)
  if (counted) metrics.requests.inc({ route: counted, status: `${Math.floor(status / 100)}xx` })
  if (code.startsWith('upstream-')) metrics.upstreamFailures.inc({ reason: code })
  if (code === 'internal') logger.error('internal', { requestId, reason: reasonOf(error) })
  else {
    const who = exchange && { ...askedBy(exchange), model: answerLabels(parts, exchange).model }
    const limit = 'limit' in failure.data ? { limit: failure.data.limit } : {}
    const asked = { path: loggedPath(route.path), ...(from !== undefined && { from }) }
    logger.info('refused', { requestId, code, ...who, ...limit, ...asked, ...askedIn(failure) })
  }
  await sendError(response, { error: failure, codec: route.codec, requestId })
  return { status, failure }
}

/** The provider that could not be reached. */
function askedIn({ code, data }: PrehendError): LogFields {
  return code === 'upstream-unreachable' && 'host' in data ? { provider: data.provider, host: data.host } : {}
}

function countedAs({ kind, codec }: ProviderRoute): string | undefined {
  if (kind === 'forward') return 'forwarded'
  return kind === 'messages' ? codec.dialect : undefined
}

/** The place an unforeseen error came from; its message may quote what a client sent, so it is left out. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return `${error.name} ${error.stack?.split('\n').slice(1, 3).join(' ').trim() ?? ''}`
}
