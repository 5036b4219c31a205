import type { ReliefStep, ReliefStepRecord } from '../../core/index.ts'
import { riskOfStep } from '../../core/index.ts'

/** What a record says of the risk of a step. */
export function riskOf(step: ReliefStep): Pick<ReliefStepRecord, 'risk'> {
  const risk = riskOfStep[step]
  return risk === undefined ? {} : { risk }
}
