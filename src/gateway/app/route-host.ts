import type { IncomingMessage } from 'node:http'
import { isPrehendError } from '../../core/index.ts'
import type { Principal } from '../../core/index.ts'
import { mostArtifactBytes, tooManyBytes } from '../../sessions/index.ts'
import { addressReader } from '../access/client-address.ts'
import { requireKeyRoute } from '../access/key-limits.ts'
import type { Served } from '../api/serve-route.ts'
import type { Authenticate } from '../http/authenticate.ts'
import type { FailedAttempts } from '../http/failed-attempts.ts'
import { bodyPieces, bodyText, readBody, requirePlain } from '../http/read-body.ts'
import type { Rooms } from '../http/rooms.ts'
import type { Place } from '../http/waiting-room.ts'
import { requireOneScope } from '../keys/require-scope.ts'
import { discardBody } from '../outlet/discard-body.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import type { ArtifactRouteHost } from './artifact-routes.ts'

export interface RouteHostOptions {
  readonly authenticate: Authenticate
  readonly attempts: FailedAttempts
  readonly rooms: Rooms
}

interface OpenedHost {
  readonly host: ArtifactRouteHost
  /** A request has its answer: what its body takes up is given back. */
  left(incoming: IncomingMessage): void
}

/** What our own routes need of a request: who asks, from where, and its body within the room of its tenant. */
export function routeHost(app: ArtifactRouteHost['app'], parts: ServingParts, options: RouteHostOptions): OpenedHost {
  const { rooms } = options
  const addressOf = (c: Served): string => addressReader(parts.config)(c.env.incoming)
  const identified = identifiedBy(options, addressOf)
  /** What bodies take up until their routes have answered, whether somebody still waits for that or not. */
  const stays = new WeakMap<IncomingMessage, Place>()
  const readFor = async (c: Served, tenant: string, limitBytes: number): Promise<Buffer> => {
    const { incoming } = c.env
    const stay = rooms.stay(tenant)
    stays.set(incoming, stay)
    try {
      requirePlain(incoming.headers)
      return await readBody(incoming, limitBytes, { hold: stay.hold })
    } catch (error) {
      stay.leave()
      await discardBody(incoming)
      throw error
    }
  }
  const host: ArtifactRouteHost = {
    app,
    addressOf,
    async principalOf(c, ...scopes) {
      const principal = await identified(c)
      requireOneScope(principal, scopes)
      requireKeyRoute(principal, c.req.method, c.req.path)
      return principal
    },
    async bodyOf(c, tenant) {
      return bodyText(await readFor(c, tenant, settingsFor(parts.config, tenant).limits.bodyBytes))
    },
    async *artifactOf(c, tenant) {
      const { incoming } = c.env
      const stay = rooms.stay(tenant)
      stays.set(incoming, stay)
      requirePlain(incoming.headers)
      try {
        yield* bodyPieces(incoming, mostArtifactBytes, { hold: stay.hold })
      } catch (error) {
        throw isPrehendError(error) && error.code === 'body-too-large' ? tooManyBytes() : error
      }
    },
    discard: ({ env: { incoming } }) => discardBody(incoming),
  }
  return { host, left: (incoming) => stays.get(incoming)?.leave() }
}

/** Who asks. A refusal may have to wait. */
function identifiedBy(
  { authenticate, attempts }: RouteHostOptions,
  addressOf: (c: Served) => string,
): (c: Served) => Promise<Principal> {
  return async (c) => {
    try {
      return await authenticate(Object.fromEntries(c.req.raw.headers))
    } catch (error) {
      await attempts.failed(addressOf(c), error)
      throw error
    }
  }
}
