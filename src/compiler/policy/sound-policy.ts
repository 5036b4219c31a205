import type { Policy } from '../../core/index.ts'
import { invalidInput, policyShape, shape } from '../../core/index.ts'
import { validateAdaptive } from './validate-policy.ts'

/** Policies that were found to be as they should be; a policy is a value and is looked at once. */
const soundPolicies = new WeakSet<object>()

/** Throws `invalid-input` that names the first figure of a policy that is not what it should be. */
export function validatePolicy(policy: Policy): void {
  if (typeof policy === 'object' && policy !== null && soundPolicies.has(policy)) return
  if (typeof policy === 'string')
    throw invalidInput('policy', 'is a name', `Give the policy itself: readPolicy('${String(policy).slice(0, 40)}').`)
  shape.check(policyShape, policy, 'policy')
  for (const [index, { min, max }] of policy.shares.entries()) requireOrder(min, max, `policy.shares[${index}]`)
  if (policy.reserveShare >= 1)
    throw invalidInput('policy.reserveShare', 'leaves no room for a request', 'Give less than 1.')
  const promised = policy.shares.reduce((sum, { min }) => sum + min, policy.reserveShare)
  if (promised > 1 + 1e-9)
    throw invalidInput(
      'policy.shares',
      `promise ${Math.round(promised * 100)}% of the window`,
      'Promise 100% at most, the reserve included.',
    )
  validateAdaptive(policy)
  if (Object.isFrozen(policy)) soundPolicies.add(policy)
}

/** Throws `invalid-input` where a minimum exceeds its maximum. */
export function requireOrder(min: number, max: number, at: string): void {
  if (min > max) throw invalidInput(`${at}.min`, `exceeds max ${max}`, 'Give a minimum that is at most the maximum.')
}
