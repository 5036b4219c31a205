import { encodedEvents } from '../outlet/write-out.ts'
import { refuse } from '../http/refuse.ts'
import { hasLeft } from '../outlet/client.ts'
import type { ServingParts } from '../parts.ts'
import type { ServedClient } from '../http/handle-exchange.ts'
import type { ReadyRequest } from './carrying-thread.ts'
import { threadEnded } from './thread-ended.ts'

export interface LostAnswer {
  readonly end: 'lost' | 'lost-midstream'
  readonly arrived: ReadyRequest
  readonly to: ServedClient
}

/** Ends a request whose thread ended after it had gone upstream: in the dialect's words, in a stream that has begun too. */
export async function endLost(parts: ServingParts, { end, arrived, to }: LostAnswer): Promise<void> {
  const { route, requestId } = arrived
  const { response, signal } = to
  const error = threadEnded()
  if (end === 'lost-midstream') {
    parts.metrics.upstreamFailures.inc({ reason: error.code })
    response.end(encodedEvents(route.codec.encodeStreamError(error, requestId)))
    return
  }
  await refuse(parts, { route, error, response, requestId, gone: hasLeft(signal) })
}
