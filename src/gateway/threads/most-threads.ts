import { availableParallelism } from 'node:os'
import type { GatewayConfig } from '../config.ts'

/** How many threads may carry requests. */
export function mostThreads({
  threads = Math.min(8, Math.max(1, availableParallelism() - 1)),
}: Pick<GatewayConfig, 'threads'>): number {
  return threads
}
