import { totalmem } from 'node:os'
import type { GatewayConfig } from './config.ts'
import { mostThreads } from './threads/most-threads.ts'

/** A request takes three to five times its body until it is answered: a third of the memory, should all of it be used. */
const memoryPart = 1 / 16

/** A heap of V8 has an end of its own, whatever memory there is. */
const mostPerThread = 512 * 1024 * 1024

/** A few of the longest bodies may come in however little memory there is. */
const least = 32 * 1024 * 1024

/** What the bodies of all requests that have not been answered may take up: as the configuration says, or by the memory that there is. */
export function underwayBytes(
  config: Pick<GatewayConfig, 'limits' | 'threads'>,
  memoryBytes: number = usableMemory(),
): number {
  const most = mostPerThread * Math.max(1, mostThreads(config))
  return config.limits.underwayBytes ?? Math.floor(Math.max(least, Math.min(most, memoryPart * memoryBytes)))
}

/** What a container leaves of the memory of the machine. */
function usableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}
