import type { Recalled, StrategyReport } from '../src/inspect/index.ts'
import { linesAt } from './frontier-lines.ts'
import { longFrom } from './short-sessions.ts'
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

/** One row for each strategy: its cost, the share of lines that it still shows, and its dearest session of ten requests and more. */
export function frontierTable(figures: readonly FrontierFigures[]): string {
  return table(figures.map((own) => [['strategy', own.strategy], ...cellsOf(own.report), ...worstOf(own.sessions)]))
}

/** How often each kind of recall was asked for, which is the same for every strategy. */
export function usesText([figures]: readonly FrontierFigures[]): string {
  const uses = figures === undefined ? [] : Object.entries(figures.report.recallUses)
  return `Uses: ${uses.map(([name, count]) => `${name} ${count}`).join(', ')}.`
}

/** The whole bill, by size of the session, and where savings are from. */
export function billTable(figures: readonly FrontierFigures[]): string {
  return table(figures.map(({ strategy, report }) => [['strategy', strategy], ...billCells(report)]))
}

/** Recall by the number of compactions that a text has gone through; undefined where no strategy compacts. */
export function compactionTable(figures: readonly FrontierFigures[]): string | undefined {
  const compacting = figures.filter(({ report }) => report.compactions > 0)
  return compacting.length === 0
    ? undefined
    : table(compacting.map(({ strategy, report }) => [['strategy', strategy], ...compactionCells(report)]))
}

/** One row for each session and strategy. */
export function sessionTable(figures: readonly FrontierFigures[]): string {
  return table(
    figures.flatMap(({ strategy, sessions }) =>
      sessions.map(({ id, report }): Cells => [['session', id], ['strategy', strategy], ...cellsOf(report)]),
    ),
  )
}

export const legend = [
  'settled all: with every missing line brought back and paid for. Lines by steps since they last stood; own: lines of own calls; edits: every line that an edit quotes stands.',
  'one piece: whole old texts of edits; 1 place: edits by lines that one place of the history held; new files: the same of files that a here-document writes first; said: strings that only text of the assistant held.',
  'hidden: failures of which no statement stands; ambiguous: references, and unread lines replaced. fetches: per 100 requests. Reread: of what tools bring, the share that had been read before and was not shown; repeated: that had been read before.',
  'Bill: input, recorded answers, own calls, hidden rounds, of sessions in which nothing is missing in the end, against sending everything. Savings by when a form was taken: on arrival, with a cold cache, with a warm one; added: what is sent besides.',
].join('\n')

function table(rows: readonly Cells[]): string {
  return markdownTable(rows.map((cells) => Object.fromEntries(cells)))
}

function cellsOf(report: StrategyReport): Cells {
  const { meanRequestTokens, largestRequestTokens } = report
  return [
    ['cost', ratio(report.costRatio)],
    ['settled all', ratio(report.settledAllCostRatio)],
    ['lines', percent(report.needleLineRecall)],
    ...ageColumns.map(([title, classes]) => [title, percent(linesAt(report, classes))] as const),
    ['own', percent(report.ownCallLineRecall)],
    ['edits', percent(report.editTextRecall)],
    ['one piece', percent(report.editInOnePieceRecall)],
    ['1 place', percent(report.editOnePlaceRecall)],
    ['new files', percent(report.newFileTextRecall)],
    ['said', percent(report.assistantTextRecall)],
    ['hidden', String(report.failuresHidden)],
    ['ambiguous', String(report.referencesAmbiguous + report.unreadLinesReplaced)],
    ['refused', String(report.refused)],
    ['compactions', String(report.compactions)],
    ['mean / largest', `${tokens(meanRequestTokens)} / ${tokens(largestRequestTokens)}`],
    ['reread / repeated', `${percent(report.rereadShare)} / ${percent(report.repeatedShare)}`],
  ]
}

function tokens(count: number | null): string {
  return count === null ? 'n/a' : count.toFixed(0).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

function worstOf(sessions: readonly FrontierSession[]): Cells {
  const long = sessions.filter(({ requests }) => requests >= longFrom)
  const above = (bound: number): number => long.filter(({ cost }) => cost > bound + 1e-9).length
  const requests = sessions.reduce((sum, session) => sum + session.requests, 0)
  const fetches = sessions.reduce((sum, { report }) => sum + report.rehydrationsAll, 0)
  return [
    ['worst cost', ratio(dearest(sessions, ({ cost }) => cost))],
    ['worst settled', ratio(dearest(sessions, ({ settledAll }) => settledAll))],
    ['above 1.00, 1.03', `${above(1)}, ${above(1.03)}`],
    ['fetches', ((100 * fetches) / requests).toFixed(1)],
  ]
}

/** The most of all sessions of ten requests and more; null where there is none. */
function dearest(sessions: readonly FrontierSession[], of: (session: FrontierSession) => number): number | null {
  const long = sessions.filter(({ requests }) => requests >= longFrom)
  return long.length === 0 ? null : Math.max(...long.map(of))
}

function billCells({ wholeBill, savings }: StrategyReport): Cells {
  const { parts } = wholeBill
  return [
    ['bill', ratio(wholeBill.ratio)],
    ['mean', ratio(wholeBill.mean)],
    ['median', ratio(wholeBill.median)],
    ['cheaper', percent(wholeBill.cheaper)],
    ['worst', ratio(wholeBill.worst)],
    ['answers', ratio(parts.answers)],
    ['own calls', ratio(parts.ownCalls)],
    ['hidden rounds', ratio(parts.hiddenRounds)],
    ['injected tokens', percent(wholeBill.injectedTokenShare)],
    ...wholeBill.bySize.map(
      (size) =>
        [`${size.tokens} (${size.traces})`, `${ratio(size.ratio)} ${ratio(size.median)} ${ratio(size.worst)}`] as const,
    ),
    ['saved at birth', ratio(savings.birth)],
    ['cold', ratio(savings.cold)],
    ['warm', ratio(savings.warm)],
    ['added', ratio(savings.added)],
  ]
}

function compactionCells({ recallByCompactions }: StrategyReport): Cells {
  const cell = ({ uses, recall }: Recalled): string => `${Math.round(uses * (recall ?? 0))} of ${uses}`
  return recallByCompactions.map(({ compactions, lines, own, edits }) => [
    `${compactions}: lines, own, edits`,
    [lines, own, edits].map(cell).join('; '),
  ])
}
