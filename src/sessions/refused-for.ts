import type { Policy } from '../core/index.ts'
import { PrehendError, isPrehendError } from '../core/index.ts'

/**
 * Why a request that could not be packed may not go as it came: its policy's defense refused it, or would have had to look at it first.
 * Undefined where it may.
 */
export function refusedFor({ defense }: Policy, error?: unknown): PrehendError | undefined {
  if (isPrehendError(error) && error.code === 'security') return error
  if (defense?.untrusted !== 'reject' && defense?.semiTrusted !== 'reject') return undefined
  const remedy = 'Try again, send less, or choose a policy that refuses nothing.'
  const message = `The request could not be searched for injected orders, and its policy lets none pass unsearched. ${remedy}`
  return new PrehendError('unavailable', message, { remedy }, error)
}
