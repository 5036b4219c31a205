import { isJsonObject } from '../core/index.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The program that has a port which is taken, in words. */
export async function portHolder(address: Address, ask: typeof fetch = fetch): Promise<string> {
  return (await isGatewayAt(address, ask)) ? `a Prehend gateway, which answers at ${urlOf(address)}` : 'another program'
}

/** Whether a gateway answers at an address, by what it says of its readiness. */
export async function isGatewayAt(address: Address, ask: typeof fetch): Promise<boolean> {
  try {
    const response = await ask(`${urlOf(address)}/health/readiness`, { signal: AbortSignal.timeout(mostMs) })
    const body: unknown = await response.json()
    return isJsonObject(body) && body['store'] !== undefined
  } catch {
    return false
  }
}

/** Readiness writes to the store. */
const mostMs = 1000

/** A server on all addresses of a machine is asked at that of the machine itself. */
function urlOf({ host, port }: Address): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
