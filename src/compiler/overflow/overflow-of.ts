import type { CompileInput, OverflowPolicy } from '../../core/index.ts'

/** What is done when not everything fits: the choice for the class of the task, else the policy's own. */
export function overflowOf({ policy, taskClass }: Pick<CompileInput, 'policy' | 'taskClass'>): OverflowPolicy {
  if (taskClass === undefined) return policy.overflow
  const chosen = Object.hasOwn(policy.overflowFor ?? {}, taskClass) ? policy.overflowFor?.[taskClass] : undefined
  return chosen ?? (taskClass === 'safety-critical' ? 'fail-loud' : policy.overflow)
}
