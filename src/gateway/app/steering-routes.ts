import { changeSteering, readRecord, steeringIn } from '../../sessions/index.ts'
import type { Steering } from '../../sessions/index.ts'
import { showSteering, steer } from '../api/routes/session-routes.ts'
import { serveRoute } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'

/** What a person tells the model of a session, and what it keeps whole. */
export function addSteeringRoutes(host: RouteHost, parts: ServingParts): void {
  serveRoute(host, showSteering, async ({ tenant, params: { session = '' } }) =>
    answer(session, steeringIn(await readRecord(parts.store, { tenant, session }))),
  )
  serveRoute(host, steer, async ({ tenant, params: { session = '' }, body }) =>
    answer(session, await changeSteering(parts, { tenant, session }, body)),
  )
}

function answer(sessionId: string, { note, pins }: Steering) {
  return { sessionId, note, pins: [...pins] }
}
