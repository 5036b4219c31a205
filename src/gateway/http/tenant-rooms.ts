import type { GatewayConfig } from '../config.ts'
import { waitingRoom } from './waiting-room.ts'
import type { WaitingRoom } from './waiting-room.ts'

/** The waiting room of a tenant that has limits of its own; undefined for the others. */
export type TenantRooms = (tenant: string) => WaitingRoom | undefined

/** Rooms of tenants lie within the one of all: who fills his own keeps nobody else from coming in. */
export function tenantRooms({ tenants, limits }: Pick<GatewayConfig, 'tenants' | 'limits'>): TenantRooms {
  const rooms = new Map<string, WaitingRoom>()
  for (const [tenant, { limits: own }] of Object.entries(tenants))
    if (own?.waitingRequests !== undefined || own?.waitingBytes !== undefined)
      rooms.set(tenant, waitingRoom({ ...limits, ...own }))
  return (tenant) => rooms.get(tenant)
}
