import type { StrategyReport } from '../src/inspect/index.ts'
import { longFrom } from './gate-figures.ts'
import type { FrontierFigures, FrontierSession } from './frontier-figures.ts'
import { markdownTable } from './markdown-table.ts'
import { percent, ratio } from './share-text.ts'

/** The least age of lines that each column of recall takes together, by the classes of a report. */
const ageColumns: readonly (readonly [title: string, classes: readonly string[]])[] = [
  ['1-10', ['1-3', '4-10']],
  ['11-20', ['11-20']],
  ['21-40', ['21-40']],
  ['41+', ['41+']],
]

type Cells = readonly (readonly [title: string, cell: string])[]

/** One row for each strategy: money, what is still shown, and the worst session of ten requests and more. */
export function frontierTable(figures: readonly FrontierFigures[]): string {
  return table(
    figures.map(({ strategy, report, sessions }) => [['strategy', strategy], ...cellsOf(report), ...worstOf(sessions)]),
  )
}

/** One row for each session and strategy. */
export function sessionTable(figures: readonly FrontierFigures[]): string {
  return table(
    figures.flatMap(({ strategy, sessions }) =>
      sessions.map(({ id, report }): Cells => [['session', id], ['strategy', strategy], ...cellsOf(report)]),
    ),
  )
}

function table(rows: readonly Cells[]): string {
  return markdownTable(rows.map((cells) => Object.fromEntries(cells)))
}

function cellsOf(report: StrategyReport): Cells {
  return [
    ['cost', ratio(report.costRatio)],
    ['settled all', ratio(report.settledAllCostRatio)],
    ['lines', percent(report.needleLineRecall)],
    ...ageColumns.map(([title, classes]) => [title, percent(linesAt(report, classes))] as const),
    ['own', percent(report.ownCallLineRecall)],
    ['edits', percent(report.editTextRecall)],
    ['hidden', String(report.failuresHidden)],
    ['ambiguous', String(report.referencesAmbiguous + report.unreadLinesReplaced)],
  ]
}

function worstOf(sessions: readonly FrontierSession[]): Cells {
  const long = sessions.filter(({ requests }) => requests >= longFrom)
  const most = (of: (session: FrontierSession) => number): number | null =>
    long.length === 0 ? null : Math.max(...long.map(of))
  const above = (bound: number): number => long.filter(({ cost }) => cost > bound + 1e-9).length
  return [
    ['worst cost', ratio(most(({ cost }) => cost))],
    ['worst settled', ratio(most(({ settledAll }) => settledAll))],
    ['above 1.00, 1.03', `${above(1)}, ${above(1.03)}`],
  ]
}

/** Recall of lines over several classes of age; null where no line is so old. */
export function linesAt({ recallByAge }: StrategyReport, classes: readonly string[]): number | null {
  const own = recallByAge.filter(({ steps }) => classes.includes(steps))
  const needles = own.reduce((sum, one) => sum + one.needles, 0)
  const kept = own.reduce((sum, one) => sum + one.needles * (one.recall ?? 0), 0)
  return needles === 0 ? null : kept / needles
}
