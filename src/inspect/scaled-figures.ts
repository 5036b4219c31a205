import type { SessionFigures } from './replay-trace.ts'
import type { Settled } from './settled-run.ts'

/** The same session with its costs in plain input tokens of another model, whose price is that many times lower. */
export function scaledFigures(figures: SessionFigures, factor: number): SessionFigures {
  if (factor === 1) return figures
  const { settled } = figures
  return {
    ...figures,
    cost: figures.cost * factor,
    writtenCost: figures.writtenCost * factor,
    askedCost: figures.askedCost * factor,
    answersCost: figures.answersCost * factor,
    ...(settled && { settled: scaledSettled(settled, factor) }),
    settledAll: scaledSettled(figures.settledAll, factor),
    steps: figures.steps.map((step) => {
      const { saved } = step.savings
      const savings = { birth: saved.birth * factor, cold: saved.cold * factor, warm: saved.warm * factor }
      return { ...step, cost: step.cost * factor, savings: { ...step.savings, saved: savings } }
    }),
  }
}

function scaledSettled(settled: Settled, factor: number): Settled {
  return { ...settled, cost: settled.cost * factor, callsCost: settled.callsCost * factor }
}
