import type { Policy } from '../../core/index.ts'
import { passageRanker } from '../../knowledge/index.ts'
import type { KeptEvidence } from './kept-evidence.ts'
import { keptEvidence } from './kept-evidence.ts'
import type { LabelledGroup, LabelledKind, LabelledQuestion, LabelledSet } from './labelled-set.ts'
import { naiveNames, naivePacker } from './naive-packs.ts'
import { bestOf, packerOf } from './pack-passages.ts'
import type { Compile } from './pack-passages.ts'
import type { RankingFigures } from './ranking-figures.ts'
import { rankingFigures } from './ranking-figures.ts'

export interface LabelledOptions {
  readonly policy: Policy
  /** Whose tokenizer counts. */
  readonly model?: string | undefined
  readonly count: (text: string) => number
  readonly budgets: readonly number[]
  /** With the ladders, scorer and detector of extensions; those that come with the product by default. */
  readonly compile?: Compile | undefined
}

/** What is left of one question, by way of packing and budget. */
export interface AskedQuestion {
  readonly id: string
  readonly group: string
  readonly kept: ReadonlyMap<string, readonly KeptEvidence[]>
  /** Of documents: where those that are needed stand. */
  readonly ranking?: RankingFigures
}

/** Our own way, as reports name it. */
export const oursName = 'prehend'

export const methodNames = [oursName, ...naiveNames] as const

/** Asks the questions of one group, one by one, so that whoever listens can tell how far it is. */
export function* askedQuestions(
  { id, passages, questions }: LabelledGroup,
  kind: LabelledKind,
  options: LabelledOptions,
): Generator<AskedQuestion> {
  const rank = passageRanker(passages.map(({ found }) => found))
  const naive = naivePacker(passages, options.count)
  for (const question of questions) {
    const scores = rank(question.text)
    const ours = packerOf({
      kind,
      passages,
      scores,
      question,
      policy: options.policy,
      model: options.model,
      compile: options.compile,
    })
    const keptBy = (pack: (budget: number) => ReturnType<typeof ours>): readonly KeptEvidence[] =>
      options.budgets.map((budget) => keptEvidence(question, passages, pack(budget)))
    const kept = new Map([
      [oursName, keptBy(ours)],
      ...naiveNames.map((name) => [name, keptBy((budget) => naive.pack(name, question, budget))] as const),
    ])
    yield {
      id: question.id,
      group: id,
      kept,
      ...(kind !== 'conversation' && { ranking: rankedFigures(scores, question) }),
    }
  }
}

function rankedFigures(scores: Float64Array, { evidence }: LabelledQuestion): RankingFigures {
  return rankingFigures(bestOf(scores, 100), new Set(evidence))
}

export function questionsOf({ groups }: LabelledSet): number {
  return groups.reduce((sum, { questions }) => sum + questions.length, 0)
}
