import { errnoOf } from './listening.ts'
import { portHolder } from './port-holder.ts'
import type { Address } from './port-holder.ts'

export interface WantedPort extends Address {
  /** Whether the user has named it: another one would surprise whoever asks for it there. */
  readonly isNamed: boolean
}

/** Opens a server on the usual port, or on a free one where that is taken; on a port that was named, or not at all. */
export async function onFreePort<Server>(
  wanted: WantedPort,
  open: (port: number) => Promise<Server>,
  tell: (line: string) => void,
): Promise<Server> {
  try {
    return await open(wanted.port)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (wanted.isNamed || wanted.port === 0 || errnoOf(cause) !== 'EADDRINUSE') throw error
    tell(`prehend: port ${wanted.port} is taken by ${await portHolder(wanted)}; a free one is used instead\n`)
    return open(0)
  }
}
