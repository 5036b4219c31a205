import type { GatewayConfig } from '../config.ts'
import { underwayBytes } from '../underway-bytes.ts'
import { underwayRoom, waitingRoom } from './waiting-room.ts'
import type { WaitingRoom } from './waiting-room.ts'

/** What is held of requests at a time, and where that has its bounds. */
export interface Rooms {
  readonly waiting: WaitingRoom
  readonly underway: WaitingRoom
  ofTenant(tenant: string): OwnRooms
}

/** Rooms of a tenant's own; absent where it has no limits of its own. */
export interface OwnRooms {
  readonly waiting?: WaitingRoom
  readonly underway?: WaitingRoom
}

/** Rooms of a gateway with so many threads that carry; those of tenants lie within those of all: who fills his own keeps nobody else out. */
export function gatewayRooms(config: Pick<GatewayConfig, 'tenants' | 'limits'>, threads: number): Rooms {
  const own = new Map(Object.entries(config.tenants).map(([tenant, { limits }]) => [tenant, ownRooms(config, limits)]))
  return {
    waiting: waitingRoom(config.limits),
    underway: underwayRoom(underwayBytes(config, threads)),
    ofTenant: (tenant) => own.get(tenant) ?? none,
  }
}

const none: OwnRooms = {}

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
