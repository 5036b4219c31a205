import type { Principal } from '../../core/index.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasLeft } from '../outlet/client.ts'
import type { ServingParts } from '../parts.ts'
import type { ArrivedRequest } from './arrived.ts'
import { addressReader } from '../access/client-address.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { Authenticate } from './authenticate.ts'
import type { AnswerTo } from './carry.ts'
import type { WithoutTokens } from './client-keys.ts'
import type { EnteredRequest } from './drain.ts'
import { probeBeforeAnswer, probeInStream } from './half-closed.ts'
import type { ProviderRoute } from './provider-route.ts'
import { receive } from './receive.ts'
import { refuse } from './refuse.ts'
import type { Rooms } from './rooms.ts'
import { tracedRequest } from './traced-request.ts'

/** Where an answer goes whose response is at hand. */
export interface ServedClient extends AnswerTo {
  readonly response: ServerResponse
}

export interface RouteRequest {
  readonly route: ProviderRoute
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

export interface HandlerOptions {
  readonly parts: ServingParts
  readonly authenticate: Authenticate
  readonly attempts: FailedAttempts
  readonly ownKeys: WithoutTokens
  readonly rooms: Rooms
  /** Brings what has arrived to its end, wherever; never rejects. */
  readonly carry: (arrived: ArrivedRequest, to: ServedClient) => Promise<void>
}

/** One request from end to end: taken in, and carried. Never rejects. */
export function exchangeHandler({
  parts,
  authenticate,
  attempts,
  ownKeys,
  rooms,
  carry,
}: HandlerOptions): (from: RouteRequest) => Promise<void> {
  return async ({ route, request, response, requestId }) => {
    const { signal, entered } = endSignal(parts, response)
    const authenticated: Authenticate = (headers) => {
      const noted = (principal: Principal): Principal => {
        entered.of(principal.tenant)
        return principal
      }
      const found = authenticate(headers)
      return found instanceof Promise ? found.then(noted) : noted(found)
    }
    const place = rooms.enter()
    const traced = tracedRequest(parts.tracing, { route, request, response })
    let arrived: ArrivedRequest
    try {
      arrived = traced.arrived(
        await receive(parts, { request, route, requestId, authenticate: authenticated, ownKeys, place }),
      )
    } catch (error) {
      place.leave()
      const from = addressReader(parts.config)(request)
      await attempts.failed(from, error)
      await refuse(parts, { route, error, response, requestId, from, gone: hasLeft(signal) })
      traced.ended()
      return
    }
    try {
      await carry(arrived, { response, signal, streams: () => probeInStream(response) })
    } finally {
      place.leave()
      traced.ended()
    }
  }
}

interface Underway {
  readonly signal: AbortSignal
  readonly entered: EnteredRequest
}

/** Aborted when the client has left, and when the gateway stops and time is up. */
function endSignal({ drain }: ServingParts, response: ServerResponse): Underway {
  const abort = new AbortController()
  probeBeforeAnswer(response)
  response.on('close', () => {
    if (!response.writableFinished) abort.abort(new Error('the client closed the connection'))
  })
  return { signal: abort.signal, entered: drain.enter({ response, stop: (reason) => abort.abort(reason) }) }
}
