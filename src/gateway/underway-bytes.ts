import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { GatewayConfig } from './config.ts'

/** A request takes three to five times its body until it is answered: a third of the memory, should all of it be used. */
const memoryPart = 1 / 16

/** A heap has an end of its own, whatever memory there is, and holds most of that. */
const heapPart = 1 / 8

/** A few of the longest bodies may come in however little memory there is. */
const least = 32 * 1024 * 1024

/** What a process may have, in bytes. */
export interface Usable {
  readonly memory: number
  /** Most that one thread may have. */
  readonly heap: number
}

/**
 * What the bodies of all requests that have not been answered may take up, where so many threads carry them beside the one that
 * serves: as the configuration says, or by what there is.
 */
export function underwayBytes(
  { limits }: Pick<GatewayConfig, 'limits'>,
  threads: number,
  { memory, heap }: Usable = usableHere(),
): number {
  const most = heapPart * heap * Math.max(1, threads)
  return limits.underwayBytes ?? Math.floor(Math.max(least, Math.min(most, memoryPart * memory)))
}

/** What a container leaves of the memory of the machine. */
function usableHere(): Usable {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return { memory, heap: getHeapStatistics().heap_size_limit }
}
