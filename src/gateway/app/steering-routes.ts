import { itemNames } from '../../inspect/index.ts'
import { changeSteering, readRecord, steeringIn } from '../../sessions/index.ts'
import type { Steering } from '../../sessions/index.ts'
import type { Store } from '../../stores/index.ts'
import { showSteering, steer } from '../api/routes/session-routes.ts'
import { serveRoute } from '../api/serve-route.ts'
import type { RouteHost } from '../api/serve-route.ts'
import type { ServingParts } from '../parts.ts'
import { noteSessionChange } from './session-changes.ts'

/** What a person tells the model of a session, and what it keeps whole. */
export function addSteeringRoutes(host: RouteHost, parts: ServingParts): void {
  const { store } = parts
  serveRoute(host, showSteering, async ({ tenant, params: { session = '' } }) =>
    told(store, { tenant, session }, steeringIn(await readRecord(store, { tenant, session }))),
  )
  serveRoute(host, steer, async (asked) => {
    const { tenant, params, body } = asked
    const { session = '' } = params
    const steering = await changeSteering(parts, { tenant, session }, body)
    noteSessionChange(parts, 'steering', asked)
    return told(store, { tenant, session }, steering)
  })
}

interface Of {
  readonly tenant: string
  readonly session: string
}

/** With the names of the pinned items, as the newest request of the session has them. */
async function told(store: Store, { tenant, session }: Of, { note, pins }: Steering) {
  const names = pins.length === 0 ? undefined : await newestNames(store, { tenant, session })
  return {
    sessionId: session,
    note,
    pins: pins.map((itemId) => ({ itemId, name: names?.get(itemId)?.name ?? null })),
  }
}

async function newestNames(store: Store, { tenant, session }: Of): Promise<ReturnType<typeof itemNames>> {
  const receipts = store.read('receipts')
  const [newest] = await receipts.list(tenant, { session, limit: 1 })
  const receipt = newest && (await receipts.get(tenant, newest.requestId, { request: false }))
  return itemNames(receipt?.input?.items ?? [])
}
