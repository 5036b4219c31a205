import { invalidInput } from '../../core/index.ts'
import type { StrategyReport } from '../report.ts'
import type { QualitySpread } from './quality-spread.ts'

/** Figures of packs by name; null where there was nothing to measure. */
export type PackFigures = Readonly<Record<string, number | null>>

/** How packs stood when somebody last was content with them. */
export interface PackBaseline {
  readonly schema: 'prehend.check-packs/1'
  readonly policy: { readonly id: string; readonly version: string }
  readonly windowTokens?: number
  readonly traces: number
  readonly requests: number
  readonly figures: PackFigures
}

/** Where more is worse, where less is, and where any move is told. */
type Worse = 'more' | 'less' | 'either'

interface FigureRule {
  readonly name: string
  readonly worse: Worse
  /** How far it may move that way by default. */
  readonly by: number
  of(report: StrategyReport): number | null
}

const cost = 0.01
const recall = 0.005

/** What is compared of recorded traffic, beside the medians of quality. */
const rules: readonly FigureRule[] = [
  { name: 'tokens', worse: 'more', by: cost, of: ({ tokenRatio }) => tokenRatio },
  { name: 'cost', worse: 'more', by: cost, of: ({ costRatio }) => costRatio },
  { name: 'worstCost', worse: 'more', by: cost, of: ({ worstTraceCostRatio }) => worstTraceCostRatio },
  { name: 'settledCost', worse: 'more', by: cost, of: ({ settledAllCostRatio }) => settledAllCostRatio },
  {
    name: 'worstSettledCost',
    worse: 'more',
    by: cost,
    of: ({ worstTraceSettledAllRatio }) => worstTraceSettledAllRatio,
  },
  { name: 'lineRecall', worse: 'less', by: recall, of: ({ needleLineRecall }) => needleLineRecall },
  { name: 'ownLineRecall', worse: 'less', by: recall, of: ({ ownCallLineRecall }) => ownCallLineRecall },
  { name: 'editRecall', worse: 'less', by: recall, of: ({ editTextRecall }) => editTextRecall },
  { name: 'failuresHidden', worse: 'more', by: 0, of: ({ failuresHidden }) => failuresHidden },
  { name: 'unpacked', worse: 'more', by: 0, of: ({ unpacked }) => Object.values(unpacked).reduce((a, b) => a + b, 0) },
]

const quality = 0.02
const qualityWorse: Readonly<Record<QualitySpread['measure'], Worse>> = {
  utilisation: 'either',
  signalDensity: 'less',
  provenance: 'less',
  constraintDensity: 'more',
  duplication: 'more',
  staleness: 'more',
  surface: 'more',
  fidelity: 'less',
}

/** The worse end of a measure: a median alone says nothing of the packs that are worst off. */
function tailOf({ measure, p10, p90 }: QualitySpread): number | null {
  return qualityWorse[measure] === 'more' ? p90 : p10
}

const qualityRules: readonly Omit<FigureRule, 'of'>[] = Object.entries(qualityWorse).flatMap(([name, worse]) => [
  { name, worse, by: quality },
  { name: `${name}Tail`, worse, by: quality },
])
const allRules: readonly Omit<FigureRule, 'of'>[] = [...rules, ...qualityRules]

/** What is compared, for help and errors. */
export const figureNames: readonly string[] = allRules.map(({ name }) => name)

/** Figures of a strategy over recorded traffic, and of the quality of its packs the median and the worse tenth. */
export function packFigures(report: StrategyReport, spreads: readonly QualitySpread[]): PackFigures {
  return Object.fromEntries([
    ...rules.map(({ name, of }) => [name, of(report)] as const),
    ...spreads.flatMap((spread) => [
      [spread.measure, spread.median] as const,
      [`${spread.measure}Tail`, tailOf(spread)] as const,
    ]),
  ])
}

/** One figure then and now. */
export interface FigureCheck {
  readonly name: string
  readonly before: number | null
  readonly now: number | null
  /** How far it may move to the worse. */
  readonly by: number
  /** `gone` where it is not measured any more, which nobody can be content with. */
  readonly verdict: 'same' | 'better' | 'within' | 'worse' | 'gone' | 'new'
}

export type FigureBounds = Readonly<Record<string, number>>

/** Holds figures against a baseline; those of either side alone are told, too. */
export function checkFigures(before: PackFigures, now: PackFigures, bounds: FigureBounds): readonly FigureCheck[] {
  return allRules.flatMap(({ name, worse, by: usual }) => {
    if (!(name in before) && !(name in now)) return []
    const by = bounds[name] ?? usual
    const was = before[name] ?? null
    const is = now[name] ?? null
    return [{ name, before: was, now: is, by, verdict: verdictOf(was, is, { worse, by }) }]
  })
}

/** Sums of fractions differ in their last digits. */
const rounding = 1e-9

function verdictOf(
  was: number | null,
  is: number | null,
  { worse, by }: Pick<FigureRule, 'worse' | 'by'>,
): FigureCheck['verdict'] {
  if (was === null) return is === null ? 'same' : 'new'
  if (is === null) return 'gone'
  const moved = worse === 'less' ? was - is : is - was
  const toTheWorse = worse === 'either' ? Math.abs(moved) : moved
  if (Math.abs(moved) <= rounding) return 'same'
  if (toTheWorse > by + rounding) return 'worse'
  return toTheWorse < 0 ? 'better' : 'within'
}

export function isContent(checks: readonly FigureCheck[]): boolean {
  return checks.every(({ verdict }) => verdict !== 'worse' && verdict !== 'gone')
}

/** Throws `invalid-input` where a value is no baseline. */
export function readBaseline(value: unknown, file: string): PackBaseline {
  const remedy = 'Give a file that prehend check-packs --update has written.'
  const isObject = typeof value === 'object' && value !== null
  if (!isObject || !('schema' in value) || value.schema !== 'prehend.check-packs/1')
    throw invalidInput(file, 'is no baseline of packs', remedy)
  const baseline = value as PackBaseline
  const figures = typeof baseline.figures === 'object' ? Object.entries(baseline.figures ?? {}) : []
  const isWhole = figures.length > 0 && figures.every(([, figure]) => figure === null || typeof figure === 'number')
  if (!isWhole || typeof baseline.traces !== 'number' || typeof baseline.requests !== 'number')
    throw invalidInput(`${file}: figures`, 'are not all there', remedy)
  return baseline
}
