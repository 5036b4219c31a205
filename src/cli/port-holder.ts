import { isJsonObject } from '../core/index.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The program that has a port which is taken, in words. */
export async function portHolder(address: Address, ask: typeof fetch = fetch): Promise<string> {
  return (await gatewayAt(address, ask)) ? `a Prehend gateway, which answers at ${urlOf(address)}` : 'another program'
}

export interface FoundGateway {
  /** Tells its store apart; absent where it does not say. */
  readonly storeId?: string
}

/** The gateway that answers at an address, by what it says of its readiness; undefined where there is none. */
export async function gatewayAt(address: Address, ask: typeof fetch): Promise<FoundGateway | undefined> {
  try {
    const response = await ask(`${urlOf(address)}/health/readiness`, { signal: AbortSignal.timeout(mostMs) })
    const body: unknown = await response.json()
    if (!isJsonObject(body) || body['store'] === undefined) return undefined
    const { storeId } = body
    return typeof storeId === 'string' ? { storeId } : {}
  } catch {
    return undefined
  }
}

/** Readiness writes to the store. */
const mostMs = 1000

/** A server on all addresses of a machine is asked at that of the machine itself. */
function urlOf({ host, port }: Address): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
