import type { CompileInput, ReliefRecord } from '../../core/index.ts'

/** What was done, for the receipt. */
export function reliefRecord(
  { input }: { readonly input: CompileInput },
  steps: ReliefRecord['steps'],
  enough: boolean,
): ReliefRecord {
  const { relief } = input.policy
  return { ...(typeof relief === 'string' && { profile: relief }), steps, enough }
}
