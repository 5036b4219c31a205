import { meanOf } from './mean-of.ts'
import type { AskedQuestion, LabelledOptions } from './evaluate-labelled.ts'
import { methodNames, oursName } from './evaluate-labelled.ts'
import type { KeptEvidence } from './kept-evidence.ts'
import type { LabelledKind, LabelledSet } from './labelled-set.ts'
import type { PublishedFigures } from './published-figures.ts'
import { publishedFigures, publishedOfTools } from './published-figures.ts'
import type { RankingFigures } from './ranking-figures.ts'
import { rankingNames } from './ranking-figures.ts'

/** Means over the questions of a set; each by budget. */
export interface MethodReport {
  readonly name: string
  readonly passages: readonly number[]
  readonly characters: readonly number[]
  readonly all: readonly number[]
  /** Over the questions that have any; null where none has. */
  readonly quotes: readonly (number | null)[]
  readonly tokens: readonly number[]
  /** Passages kept, of every other conversation and of those between them; of documents, of questions. Absent where one is empty. */
  readonly halves?: readonly [readonly number[], readonly number[]]
}

/** What became of one question with us, by budget, so that two runs can be compared. */
export interface QuestionReport {
  readonly id: string
  readonly group: string
  readonly passages: readonly number[]
  readonly characters: readonly number[]
  readonly quotes?: readonly number[]
}

export interface LabelledReport {
  readonly name: string
  readonly shape: string
  readonly kind: LabelledKind
  readonly groups: number
  readonly passages: number
  /** What all of them take together. */
  readonly passageTokens: number
  readonly questions: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly budgets: readonly number[]
  readonly methods: readonly MethodReport[]
  readonly ranking?: RankingFigures
  readonly published: readonly PublishedFigures[]
  readonly perQuestion: readonly QuestionReport[]
}

export function labelledReport(
  set: LabelledSet,
  asked: readonly AskedQuestion[],
  { budgets, count }: Pick<LabelledOptions, 'budgets' | 'count'>,
): LabelledReport {
  const { name, shape, kind, groups, leftOut } = set
  const rankings = asked.flatMap(({ ranking }) => ranking ?? [])
  return {
    name,
    shape,
    kind,
    groups: groups.length,
    passages: groups.reduce((sum, group) => sum + group.passages.length, 0),
    passageTokens: sumOf(groups.flatMap(({ passages }) => passages.map(({ text }) => count(text)))),
    questions: asked.length,
    leftOut,
    budgets,
    methods: methodNames.map((method) => methodReport(method, { kind, asked, budgets })),
    ...(rankings.length > 0 && { ranking: meanRanking(rankings) }),
    published: (kind === 'tools' ? publishedOfTools : publishedFigures)[shape] ?? [],
    perQuestion: asked.map(questionReport),
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

interface Asked {
  readonly kind: LabelledKind
  readonly asked: readonly AskedQuestion[]
  readonly budgets: readonly number[]
}

function methodReport(name: string, { kind, asked, budgets }: Asked): MethodReport {
  const meansOf = (questions: readonly AskedQuestion[], figure: (kept: KeptEvidence) => number | undefined) =>
    budgets.map((_, at) => meanOf(questions.flatMap(({ kept }) => valueOf(kept.get(name)?.[at], figure))))
  const plain = (questions: readonly AskedQuestion[], figure: (kept: KeptEvidence) => number): readonly number[] =>
    meansOf(questions, figure).map((mean) => mean ?? 0)
  const halves = [halfOf(asked, kind, 0), halfOf(asked, kind, 1)] as const
  const inHalf = (half: readonly AskedQuestion[]) => plain(half, ({ passages }) => passages)
  return {
    name,
    passages: plain(asked, ({ passages }) => passages),
    characters: plain(asked, ({ characters }) => characters),
    all: plain(asked, ({ all }) => all),
    quotes: meansOf(asked, ({ quotes }) => quotes),
    tokens: plain(asked, ({ tokens }) => tokens),
    ...(halves.every(({ length }) => length > 0) && { halves: [inHalf(halves[0]), inHalf(halves[1])] }),
  }
}

function valueOf(
  kept: KeptEvidence | undefined,
  figure: (kept: KeptEvidence) => number | undefined,
): readonly number[] {
  const value = kept === undefined ? undefined : figure(kept)
  return value === undefined ? [] : [value]
}

/** Questions about one conversation are alike: it is in one half, with all of them. */
function halfOf(asked: readonly AskedQuestion[], kind: LabelledKind, half: number): readonly AskedQuestion[] {
  const groups = [...new Set(asked.map(({ group }) => group))]
  const places = new Map(groups.map((group, at) => [group, at]))
  return asked.filter((one, at) => (kind !== 'conversation' ? at : (places.get(one.group) ?? 0)) % 2 === half)
}

function meanRanking(rankings: readonly RankingFigures[]): RankingFigures {
  const means = rankingNames.map((name) => [name, meanOf(rankings.map((one) => one[name])) ?? 0] as const)
  return Object.fromEntries(means) as RankingFigures
}

function questionReport({ id, group, kept }: AskedQuestion): QuestionReport {
  const ours = kept.get(oursName) ?? []
  const quotes = ours.flatMap((one) => one.quotes ?? [])
  const shares = { passages: ours.map((one) => one.passages), characters: ours.map((one) => one.characters) }
  return { id, group, ...shares, ...(quotes.length > 0 && { quotes }) }
}
