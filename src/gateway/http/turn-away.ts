import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServingParts } from '../parts.ts'
import { addressReader } from '../access/client-address.ts'
import { noteTurnedAway } from '../telemetry/turned-away.ts'
import { sendError, toPrehendError } from '../outlet/respond.ts'
import { dialectOf } from './routes.ts'

interface TurnedAway {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly error: unknown
}

/** Answers a request that goes nowhere, in the dialect that it speaks. */
export async function turnAway(parts: ServingParts, { request, response, error }: TurnedAway): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const failure = toPrehendError(error)
  const requestId = parts.newId()
  const { dialects } = parts
  const from = addressReader(parts.config)(request)
  noteTurnedAway(parts, { requestId, method, path: url, code: failure.code, from })
  await sendError(response, { error: failure, codec: dialects.for(dialectOf(request, dialects)), requestId })
}
