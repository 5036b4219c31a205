import { composePolicy } from '../compiler/index.ts'
import type { Policy, Situation } from '../core/index.ts'

/** Whether requests of a policy are marked and kept for a provider's prompt cache. */
export function cachesPrompts(policy: Policy, situation?: Situation): boolean {
  return composePolicy(policy, situation).policy.promptCache !== false
}
