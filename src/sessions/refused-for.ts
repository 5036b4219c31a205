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
 * Why a request that could not be packed must not be sent as it came: the policy's defense or gates refused it, or would have had to look at it
 * first. Undefined where it may be sent.
 */
export function refusedFor(asked: Asked, error?: unknown): PrehendError | undefined {
  if (isPrehendError(error) && refusals.has(error.code)) return error
  if (letsNonePassUnmeasured(asked)) {
    const remedy = 'Try again, send less, or choose a policy whose gates only warn.'
    const message = `The request could not be measured, and its policy lets none pass unmeasured. ${remedy}`
    return new PrehendError('unavailable', message, { remedy }, error)
  }
  if (!defends(asked)) return undefined
  const remedy = 'Try again, send less, or choose a policy without a defense.'
  const message = `The request could not be searched for injected orders, and its policy lets none pass unsearched. ${remedy}`
  return new PrehendError('unavailable', message, { remedy }, error)
}

/** Whether a request without a pack must not be sent as it came, in this situation. */
export function mustBePacked(asked: Asked): boolean {
  return letsNonePassUnmeasured(asked) || defends(asked)
}

/** Whether what is out of bounds is refused, in this situation. */
function letsNonePassUnmeasured({ policy, situation }: Asked): boolean {
  const { policy: inForce } = composePolicy(policy, situation)
  return inForce.quality !== undefined && breachAction(inForce, situation?.taskClass) === 'reject'
}

/** Whether the policy writes anything otherwise, or refuses it, for what it may order; who only notes it loses a note. */
function defends({ policy, situation }: Asked): boolean {
  const { defense } = composePolicy(policy, situation).policy
  if (defense === undefined) return false
  const { untrusted, semiTrusted, replies, stripInvisible, maxChars, maxSurface } = defense
  const acts = [untrusted, semiTrusted, replies].some((action) => action === 'quarantine' || action === 'reject')
  return acts || stripInvisible === true || maxChars !== undefined || maxSurface !== undefined
}
