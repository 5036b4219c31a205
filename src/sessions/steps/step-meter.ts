import type { MissedLimit, StepOverrun, StepUse } from '../../core/index.ts'
import { missedLimits } from '../../core/index.ts'
import type { HostStep, ReceiptResult } from '../../stores/index.ts'

/** What the steps of a session have taken so far, request by request. */
export interface StepMeter {
  /** Adds what a request took; gives the limits of its step that are not kept since. */
  took(step: HostStep | undefined, result: ReceiptResult): readonly MissedLimit[]
}

/** Those that went on last; what is older is not looked at again. */
const mostSteps = 64

export function stepMeter(): StepMeter {
  const steps = new Map<string, Required<StepUse>>()
  return {
    took(step, result) {
      if (step?.limits === undefined) return []
      const name = JSON.stringify([step.taskId, step.stepId])
      const before = steps.get(name) ?? nothing
      const now = sum(before, useOf(result))
      steps.delete(name)
      steps.set(name, now)
      const [oldest] = steps.keys()
      if (steps.size > mostSteps && oldest !== undefined) steps.delete(oldest)
      const known = new Set(missedLimits(step.limits, before).map(({ limit }) => limit))
      return missedLimits(step.limits, now).filter(({ limit }) => !known.has(limit))
    },
  }
}

const nothing = { latencyMs: 0, costUsd: 0, tokens: 0 }

/** Time that requests took, not what the agent did between them. */
function useOf({ upstreamMs, overheadMs, cost, usage }: ReceiptResult): Required<StepUse> {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  return { latencyMs: upstreamMs + overheadMs, costUsd: cost?.usd ?? 0, tokens }
}

function sum(one: Required<StepUse>, other: Required<StepUse>): Required<StepUse> {
  return {
    latencyMs: one.latencyMs + other.latencyMs,
    costUsd: one.costUsd + other.costUsd,
    tokens: one.tokens + other.tokens,
  }
}

export function stepOverrun(step: HostStep | undefined, missed: readonly MissedLimit[]): StepOverrun {
  const { taskId, stepId } = step ?? {}
  return {
    type: 'step:limits-missed',
    ...(taskId !== undefined && { taskId }),
    ...(stepId !== undefined && { stepId }),
    missed,
  }
}
