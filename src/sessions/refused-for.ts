import { breachAction, composePolicy } from '../compiler/index.ts'
import type { Policy, Situation } from '../core/index.ts'
import { PrehendError, isPrehendError } from '../core/index.ts'

/** How a request was to be packed. */
export interface Asked {
  readonly policy: Policy
  readonly situation?: Situation | undefined
}

const refusals: ReadonlySet<string> = new Set(['security', 'quality-gate'])

/**
 * Why a request that could not be packed may not go as it came: its policy's defense or its gates refused it, or would have had to look
 * at it first. Undefined where it may.
 */
export function refusedFor(asked: Asked, error?: unknown): PrehendError | undefined {
  if (isPrehendError(error) && refusals.has(error.code)) return error
  if (letsNonePassUnmeasured(asked)) {
    const remedy = 'Try again, send less, or choose a policy whose gates only warn.'
    const message = `The request could not be measured, and its policy lets none pass unmeasured. ${remedy}`
    return new PrehendError('unavailable', message, { remedy }, error)
  }
  const { defense } = asked.policy
  if (defense?.untrusted !== 'reject' && defense?.semiTrusted !== 'reject') return undefined
  const remedy = 'Try again, send less, or choose a policy that refuses nothing.'
  const message = `The request could not be searched for injected orders, and its policy lets none pass unsearched. ${remedy}`
  return new PrehendError('unavailable', message, { remedy }, error)
}

/** Whether what is out of bounds is refused, in this situation. */
export function letsNonePassUnmeasured({ policy, situation }: Asked): boolean {
  const inForce = situation === undefined ? policy : composePolicy(policy, situation).policy
  return inForce.quality !== undefined && breachAction(inForce, situation?.taskClass) === 'reject'
}
