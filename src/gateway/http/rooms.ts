import type { GatewayConfig } from '../config.ts'
import { underwayBytes } from '../underway-bytes.ts'
import { underwayRoom, waitingRoom } from './waiting-room.ts'
import type { Place, Room } from './waiting-room.ts'

/** What is held of requests at a time, and where that has its bounds. */
export interface Rooms {
  /** One more request for a provider, of which nothing is held yet. */
  enter(): RequestPlace
  /** One more request of a tenant that is answered here, of which nothing is held yet. */
  stay(tenant: string): Place
}

/** What a request for a provider takes up: until it is sent among those that wait, until its answer has ended among all. */
export interface RequestPlace extends Omit<Place, 'also'> {
  /** Whose it is, from the beginning. */
  of(tenant: string): void
  /** It has gone upstream; told as often as one likes. */
  sent(): void
}

/** Rooms of a tenant's own; absent where it has no limits of its own. */
interface OwnRooms {
  readonly waiting?: Room
  readonly underway?: Room
}

/** Rooms of a gateway with so many threads that carry; those of tenants lie within those of all: who fills his own keeps nobody else out. */
export function gatewayRooms(config: Pick<GatewayConfig, 'tenants' | 'limits'>, threads: number): Rooms {
  const own = new Map(Object.entries(config.tenants).map(([tenant, { limits }]) => [tenant, ownRooms(config, limits)]))
  const waiting = waitingRoom(config.limits)
  const underway = underwayRoom(underwayBytes(config, threads))
  return {
    enter() {
      const waits = waiting.enter()
      const stays = underway.enter()
      return {
        of(tenant) {
          waits.also(own.get(tenant)?.waiting)
          stays.also(own.get(tenant)?.underway)
        },
        hold(bytes) {
          stays.hold(bytes)
          waits.hold(bytes)
        },
        queue: waits.queue,
        sent: waits.leave,
        leave() {
          waits.leave()
          stays.leave()
        },
      }
    },
    stay(tenant) {
      const stays = underway.enter()
      stays.also(own.get(tenant)?.underway)
      return stays
    },
  }
}

function ownRooms(
  { limits }: Pick<GatewayConfig, 'limits'>,
  own: GatewayConfig['tenants'][string]['limits'] = {},
): OwnRooms {
  const waits = own.waitingRequests !== undefined || own.waitingBytes !== undefined
  return {
    ...(waits && { waiting: waitingRoom({ ...limits, ...own }) }),
    ...(own.underwayBytes !== undefined && { underway: underwayRoom(own.underwayBytes) }),
  }
}
