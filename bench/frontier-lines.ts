import type { StrategyReport } from '../src/inspect/index.ts'

/** Recall of lines over several classes of age; null where no line is so old. */
export function linesAt({ recallByAge }: StrategyReport, classes: readonly string[]): number | null {
  const own = recallByAge.filter(({ steps }) => classes.includes(steps))
  const needles = own.reduce((sum, one) => sum + one.needles, 0)
  const kept = own.reduce((sum, one) => sum + one.needles * (one.recall ?? 0), 0)
  return needles === 0 ? null : kept / needles
}
