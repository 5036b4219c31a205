import { availableParallelism } from 'node:os'
import type { GatewayConfig } from '../config.ts'
import { underwayBytes } from '../underway-bytes.ts'

/**
 * The configuration of one of `count` processes on a machine: cores and memory that it says nothing of are shared evenly. With one process it
 * stays as it is.
 */
export function shareOfProcess(config: GatewayConfig, count: number, cores = availableParallelism()): GatewayConfig {
  if (count === 1) return config
  const threads = config.threads ?? Math.min(8, Math.max(0, Math.floor(cores / count) - 1))
  const underway = config.limits.underwayBytes ?? Math.ceil(underwayBytes(config, threads) / count)
  return { ...config, threads, limits: { ...config.limits, underwayBytes: underway } }
}
