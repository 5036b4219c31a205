import { rankingNames } from '../inspect/index.ts'
import type { EvaluationChange, LabelledReport, MethodReport, PublishedFigures } from '../inspect/index.ts'
import { counted } from './counted.ts'
import { intentsTable } from './eval-intents-table.ts'
import { spansTable } from './eval-spans-table.ts'
import { suspicionTable } from './eval-suspicion-table.ts'
import { tasksTable } from './eval-tasks-table.ts'
import { outputsTable, recordedLegend, sessionsTables } from './eval-recorded-table.ts'
import type { Evaluation } from './eval-run.ts'
import { percent } from './percent.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

type Row = readonly string[]

/** The report for people: a table for each file of questions, at most 80 columns wide. */
export function evaluationTable(report: Evaluation, width: number | undefined): string {
  const { labelled, tasks, suspicions, spans, intents, sessions, outputs, skipped } = report
  const left = skipped === 0 ? [] : [`${skipped} lines could not be read and were left out`, '']
  const legend = labelled.length === 0 ? [] : [...evidenceLegend.map((line) => hanging(line, width)), '']
  return [
    ...labelled.map((one) => `${labelledTable(one, width)}\n`),
    ...tasks.map((one) => `${tasksTable(one, width)}\n`),
    ...suspicions.map((one) => `${suspicionTable(one, width)}\n`),
    ...spans.map((one) => `${spansTable(one, width)}\n`),
    ...intents.map((one) => `${intentsTable(one, width)}\n`),
    ...sessions.map((one) => `${sessionsTables(one, width)}\n`),
    ...outputs.map((one) => `${outputsTable(one, width)}\n`),
    ...left,
    ...legend,
    ...(sessions.length + outputs.length === 0 ? [] : [...recordedLegend.map((line) => hanging(line, width)), '']),
  ].join('\n')
}

function labelledTable(report: LabelledReport, width: number | undefined): string {
  const { name, kind, groups, passages, questions, leftOut, budgets, methods } = report
  const what =
    kind === 'conversation'
      ? `${counted(groups, 'conversation')} of ${counted(passages, 'turn')}`
      : kind === 'tools'
        ? `${counted(passages, 'tool')} of ${counted(report.passageTokens, 'token')}`
        : counted(passages, 'document')
  const without = Object.entries(leftOut).map(([reason, count]) => `, ${count} ${reason}`)
  const head = [kind === 'tools' ? 'tools offered' : 'evidence kept', ...budgets.map((budget) => `${budget}`)]
  const [ours, ...others] = methods
  const rows = [
    ...(ours === undefined ? [] : kind === 'tools' ? toolRows(ours) : oursRows(ours)),
    ...others.map(({ name: other, passages: kept }) => [titles[other] ?? other, ...kept.map(percent)]),
    ...report.published.flatMap((figures) => publishedRow(figures, budgets)),
  ]
  const ranking = rankingTable(report)
  const title = hanging(`${name}: ${what}, ${counted(questions, 'question')}${without.join('')}`, width)
  if (questions === 0) return title
  return [title, '', textTable(head, rows), ...(ranking === '' ? [] : ['', ranking])].join('\n')
}

const titles: Readonly<Record<string, string>> = {
  bm25: 'BM25, word by word',
  head: 'the first',
  tail: 'the last',
  oracle: 'the most there can be',
}

/** A tool is offered or not; what it takes is what there is to save. */
function toolRows({ passages, all, tokens }: MethodReport): readonly Row[] {
  return [
    ['prehend', ...passages.map(percent)],
    ['  all of a question', ...all.map(percent)],
    ['  tokens of the request', ...tokens.map((one) => `${Math.round(one)}`)],
  ]
}

function oursRows({ passages, characters, all, quotes, halves }: MethodReport): readonly Row[] {
  return [
    ['prehend', ...passages.map(percent)],
    ['  of its characters', ...characters.map(percent)],
    ['  all of a question', ...all.map(percent)],
    ...(quotes.some((share) => share !== null) ? [['  answers, quotes', ...quotes.map(percent)]] : []),
    ...(halves === undefined
      ? []
      : [
          ['  one half', ...halves[0].map(percent)],
          ['  other half', ...halves[1].map(percent)],
        ]),
  ]
}

function publishedRow({ name, recall }: PublishedFigures, budgets: readonly number[]): readonly Row[] {
  return recall === undefined ? [] : [[`* ${name}`, ...budgets.map((budget) => percent(recall[budget] ?? null))]]
}

function rankingTable({ ranking, published }: LabelledReport): string {
  if (ranking === undefined) return ''
  const row = (name: string, figures: Readonly<Record<string, number>>): Row => [
    name,
    ...rankingNames.map((figure) => percent(figures[figure] ?? null)),
  ]
  const others = published.flatMap(({ name, ranking: figures }) =>
    figures === undefined ? [] : [row(`* ${name}`, figures)],
  )
  return textTable(['ranking', ...rankingNames], [row('prehend', ranking), ...others])
}

/** What changed between two reports, for people. */
export function changesTable(changes: readonly EvaluationChange[], width: number | undefined): string {
  const names = [...new Set(changes.map(({ name }) => name))]
  const signed = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)}`
  const head = ['tokens', 'figure', 'questions', 'before', 'after', 'change', '95% interval', '']
  const tables = names.map((name) => {
    const rows = changes
      .filter((change) => change.name === name)
      .map(({ budget, figure, questions, before, after, change, isClear }) => [
        `${budget}`,
        figure,
        `${questions}`,
        percent(before),
        percent(after),
        signed(change.mean),
        `${signed(change.low)} to ${signed(change.high)}`,
        isClear ? 'clear' : 'unclear',
      ])
    return `${hanging(name, width)}\n\n${textTable(head, rows, ['figure'])}\n`
  })
  return [...tables, hanging(changeLegend, width), ''].join('\n')
}

const changeLegend =
  'In %, of the questions that stand in both, pair by pair. The interval is a bootstrap over conversations, of documents over questions, with a fixed seed; clear: it leaves out 0.'

const evidenceLegend = [
  'In %, by tokens of the pack. Evidence: passages that stand there whole, word for word or in a form that says the same, over all that a question needs; means over questions.',
  'Of its characters: long passages count for more; all: questions that lack nothing; answers, quotes: those that stand in what is shown of the passages; halves: of the conversations, or of the questions where there are none.',
  'The others pay for passages alone, we for everything that the request says. * as published for the data set of that name, by its own count; not of your data.',
]
