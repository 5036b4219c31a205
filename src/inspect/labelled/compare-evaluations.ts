import type { Interval } from './bootstrap.ts'
import { bootstrapMean } from './bootstrap.ts'
import type { LabelledReport, QuestionReport } from './labelled-report.ts'

/** What is compared, as members of a question's report. */
const comparedFigures = ['passages', 'characters', 'quotes'] as const
type ComparedFigure = (typeof comparedFigures)[number]

/** What changed for the questions of one file, at one budget. */
export interface EvaluationChange {
  readonly name: string
  readonly budget: number
  readonly figure: ComparedFigure
  readonly before: number
  readonly after: number
  /** Of after less before. */
  readonly change: Interval
  /** Questions in both; only these count. */
  readonly questions: number
  /** Whether the interval leaves out 0. */
  readonly isClear: boolean
}

type Compared = Pick<LabelledReport, 'name' | 'shape' | 'kind' | 'budgets' | 'perQuestion'>

/**
 * Compares two evaluations of the same questions, pair by pair: sets that have the same name, or are the only ones of their shape; questions by their
 * ids; budgets that both have. Differences are of us alone.
 */
export function compareEvaluations(
  before: readonly Compared[],
  after: readonly Compared[],
): readonly EvaluationChange[] {
  return before.flatMap((one) => {
    const other = counterpart(one, after)
    if (other === undefined) return []
    return one.budgets.flatMap((budget, at) => {
      const otherAt = other.budgets.indexOf(budget)
      if (otherAt === -1) return []
      return comparedFigures.flatMap((figure) => changeOf({ one, other, budget, at, otherAt, figure }))
    })
  })
}

function counterpart({ name, shape }: Compared, after: readonly Compared[]): Compared | undefined {
  const ofShape = after.filter((other) => other.shape === shape)
  return after.find((other) => other.name === name) ?? (ofShape.length === 1 ? ofShape[0] : undefined)
}

interface Pairing extends Pick<EvaluationChange, 'budget' | 'figure'> {
  readonly one: Compared
  readonly other: Compared
  readonly at: number
  readonly otherAt: number
}

function changeOf({ one, other, budget, at, otherAt, figure }: Pairing): readonly EvaluationChange[] {
  const known = new Map(other.perQuestion.map((question) => [question.id, question]))
  const clusters = new Map<string, number[]>()
  let [questions, before, after] = [0, 0, 0]
  for (const question of one.perQuestion) {
    const was = figuresOf(question, figure)[at]
    const is = figuresOf(known.get(question.id), figure)[otherAt]
    if (was === undefined || is === undefined) continue
    // Documents share nothing between two questions; remarks of a conversation do.
    const cluster = one.kind === 'conversation' ? question.group : question.id
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), is - was])
    questions += 1
    before += was
    after += is
  }
  const change = bootstrapMean([...clusters.values()])
  if (change === undefined) return []
  const isClear = change.low > 0 || change.high < 0
  const means = { before: before / questions, after: after / questions }
  return [{ name: one.name, budget, figure, ...means, change, questions, isClear }]
}

function figuresOf(question: QuestionReport | undefined, figure: EvaluationChange['figure']): readonly number[] {
  return question?.[figure] ?? []
}
