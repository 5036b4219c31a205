import { PrehendError, invalidInput } from '../core/index.ts'
import { portHolder } from './port-holder.ts'
import type { Address } from './port-holder.ts'

const problems: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  EACCES: ['may not be used by this user', 'Choose one above 1023'],
  EADDRNOTAVAIL: ['is not an address of this machine', 'Use 127.0.0.1'],
  ENOTFOUND: ['is not an address of this machine', 'Use 127.0.0.1'],
}

/** Opens a server; a port or address that cannot be had becomes an error that says so. */
export async function listening<Server>(address: Address, open: () => Promise<Server>): Promise<Server> {
  try {
    return await open()
  } catch (error) {
    const errno = errnoOf(error)
    const [problem, remedy] = errno === 'EADDRINUSE' ? await taken(address) : (problems[errno] ?? [])
    if (problem === undefined || remedy === undefined) throw error
    const isAddress = problem.includes('address')
    const said = isAddress ? problem : `${address.port} ${problem}`
    const { code, message, data } = invalidInput(isAddress ? '--host' : '--port', said, remedy)
    throw new PrehendError(code, message, data, error)
  }
}

async function taken(address: Address): Promise<readonly [problem: string, remedy: string]> {
  return [`is taken by ${await portHolder(address)}`, 'Stop it, or choose another port; 0 takes a free one']
}

/** The system's code of an error, such as EADDRINUSE; empty for others. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
