import type { BillingRuleName, StrategyReport } from '../src/inspect/index.ts'
import type { FrontierFigures } from './frontier-figures.ts'
import { linesAt } from './frontier-lines.ts'
import { gateSetOf } from './frontier-sets.ts'
import type { FrontierSet } from './frontier-sets.ts'
import { gateName, judgedCell } from './gate-table.ts'
import { markdownTable } from './markdown-table.ts'
import { judged } from './policy-gates.ts'
import type { Judged } from './policy-gates.ts'
import { percent, ratio } from './share-text.ts'
import { longFrom } from './short-sessions.ts'

/** A line that `bench -- frontier --json` writes: one set by the rules of one provider. */
export interface FrontierRun {
  readonly set: FrontierSet
  readonly rules: BillingRuleName
  readonly figures: readonly FrontierFigures[]
}

/** The runs of a file of such lines. */
export function frontierRuns(text: string): readonly FrontierRun[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FrontierRun)
}

/** Tables of the page that are made of these runs, by name. */
export function frontierTables(runs: readonly FrontierRun[]): ReadonlyMap<string, string> {
  return new Map([
    ['sets', setsTable(runs)],
    ['bill', billTable(runs)],
    ['rules', rulesTable(runs)],
    ['gates', missedTable(runs)],
  ])
}

/** Strategies beside the policies that the page compares; the chart has more. */
export const comparedRivals = [
  'keep-last-10',
  'batch-mask-30-10',
  'sliding-window-60000',
  'compact-60000-2000',
] as const

function isCompared({ strategy }: FrontierFigures): boolean {
  return isGated(strategy) || comparedRivals.some((name) => name === strategy)
}

/** What each strategy costs and keeps on each set, by the plain rule. */
function setsTable(runs: readonly FrontierRun[]): string {
  return markdownTable(
    byRules(runs, 'plain').flatMap(({ set, figures }) =>
      figures.filter(isCompared).map((own) => {
        const { report } = own
        return {
          'set': `${set} (${own.sessions.length})`,
          'strategy': own.strategy,
          ...costCells(own),
          '21-40': percent(linesAt(report, ['21-40'])),
          '41+': percent(linesAt(report, ['41+'])),
          'own': percent(report.ownCallLineRecall),
          'edits': percent(report.editTextRecall),
          'hidden': String(report.failuresHidden),
          'compactions': String(report.compactions),
        }
      }),
    ),
  )
}

function costCells(own: FrontierFigures): Readonly<Record<string, string>> {
  const { report } = own
  return {
    'cost': ratio(report.costRatio),
    'settled all': ratio(report.settledAllCostRatio),
    'dearest': ratio(dearestOf(own)),
    'lines': percent(report.needleLineRecall),
    '1-10': percent(linesAt(report, ['1-3', '4-10'])),
    '11-20': percent(linesAt(report, ['11-20'])),
  }
}

/** The whole bill by the plain rule, and by size of the session. */
function billTable(runs: readonly FrontierRun[]): string {
  return markdownTable(
    byRules(runs, 'plain').flatMap(({ set, figures }) =>
      figures.filter(isCompared).map(({ strategy, report: { wholeBill } }) => ({
        set,
        strategy,
        'whole bill': ratio(wholeBill.ratio),
        'median session': ratio(wholeBill.median),
        'cheaper': percent(wholeBill.cheaper),
        'dearest': ratio(wholeBill.worst),
        ...Object.fromEntries(wholeBill.bySize.map((size) => [`${size.tokens} tokens`, ratio(size.ratio)])),
      })),
    ),
  )
}

/** Policies by the rules of each provider: cost, settled all, dearest; lines, edits. */
function rulesTable(runs: readonly FrontierRun[]): string {
  const sets = [...new Set(runs.map(({ set }) => set))]
  const rules = [...new Set(runs.map((run) => run.rules))]
  return markdownTable(
    rules.flatMap((rule) => {
      const own = byRules(runs, rule)
      const names = [...new Set(own.flatMap(({ figures }) => figures.map(({ strategy }) => strategy)))].filter(isGated)
      return names.map((strategy) => {
        const cells = sets.map((set): [string, string] => {
          const found = own.find((one) => one.set === set)?.figures.find((one) => one.strategy === strategy)
          return [set, found === undefined ? 'n/a' : rulesCell(found)]
        })
        return { rules: rule, policy: `\`${strategy}\``, ...Object.fromEntries(cells) }
      })
    }),
  )
}

function rulesCell(figures: FrontierFigures): string {
  const { costRatio, settledAllCostRatio, needleLineRecall, editTextRecall }: StrategyReport = figures.report
  const money = [costRatio, settledAllCostRatio, dearestOf(figures)].map(ratio).join(' ')
  return `${money}; ${percent(needleLineRecall)} ${percent(editTextRecall)}`
}

/** Gates that a policy misses by any of the rules, and all aims. */
function missedTable(runs: readonly FrontierRun[]): string {
  const rows = runs.flatMap(({ set, rules, figures }) =>
    figures.filter(({ strategy }) => isGated(strategy)).map((own) => ({ own, set, rules })),
  )
  const results = rows.flatMap(({ own, set, rules }) => {
    const { strategy: policy } = own
    return judged(own, { policy, set: gateSetOf(set), rules }).map((result) => ({ policy, set, rules, result }))
  })
  const gates = results.filter(({ result }) => !result.isAim)
  const met = gates.filter(({ result }) => result.met).length
  const places = Map.groupBy(results, ({ policy, set, result }) => `${policy} ${set} ${askedOf(result)}`)
  const shown = [...places.values()].filter((all) => all.some(({ result }) => result.isAim || !result.met))
  const table = markdownTable(
    shown.map((all) => ({
      policy: `\`${all[0]?.policy ?? ''}\``,
      set: all[0]?.set ?? '',
      asked: all[0] === undefined ? '' : askedOf(all[0].result),
      ...Object.fromEntries(rulesIn(runs).map((rule) => [rule, cellOf(resultBy(all, rule))])),
    })),
  )
  return `${met} of ${gates.length} gates are met. Those missed by any rule, and all aims:\n\n${table}`
}

/** Aims differ by rule, so their bounds stand in the cells. */
function askedOf(result: Judged): string {
  return result.isAim ? 'aim: settled all' : gateName(result)
}

function cellOf(result: Judged | undefined): string {
  const bound = result?.isAim === true ? `, ${result.asked.replace(/^.*: /, '')}` : ''
  return `${judgedCell(result)}${bound}`
}

function resultBy(
  all: readonly { readonly rules: string; readonly result: Judged }[],
  rule: string,
): Judged | undefined {
  return all.find(({ rules }) => rules === rule)?.result
}

const rulesIn = (runs: readonly FrontierRun[]): readonly string[] => [...new Set(runs.map(({ rules }) => rules))]

function isGated(strategy: string): boolean {
  return ['careful', 'balanced', 'thrifty'].includes(strategy)
}

function byRules(runs: readonly FrontierRun[], rules: string): readonly FrontierRun[] {
  return runs.filter((run) => run.rules === rules)
}

/** Of sessions of ten requests and more. */
function dearestOf({ sessions }: FrontierFigures): number | null {
  const long = sessions.filter(({ requests }) => requests >= longFrom)
  return long.length === 0 ? null : Math.max(...long.map(({ cost }) => cost))
}

/** Sessions sent through a window that is too small for them. */
export interface WindowRun {
  readonly windowTokens: number
  readonly run: FrontierRun
}

/** What strategies come to where a window is full. Cost is against sending everything, which does not fit. */
export function windowsTable(all: readonly WindowRun[]): string {
  return markdownTable(
    all.flatMap(({ windowTokens, run: { set, figures } }) =>
      figures.map((own) => {
        const { report, sessions, strategy } = own
        const requests = sessions.reduce((sum, session) => sum + session.requests, 0)
        return {
          'window, set': `${windowTokens}, ${set} (${sessions.length})`,
          strategy,
          'refused': `${report.refused} of ${requests}`,
          ...costCells(own),
          'own': percent(report.ownCallLineRecall),
          'edits': percent(report.editTextRecall),
          'hidden': String(report.failuresHidden),
          'breaks': String(report.breaks),
        }
      }),
    ),
  )
}

/** The page with a table in the place of the one that stands there under its name. Throws where the page has no such place. */
export function withTable(page: string, name: string, table: string): string {
  const [open, close] = [`<!-- table: ${name} -->`, '<!-- /table -->']
  const start = page.indexOf(open)
  const end = page.indexOf(close, start)
  if (start < 0 || end < 0) throw new Error(`The page has no place for the table ${name}: add ${open} and ${close}.`)
  return `${page.slice(0, start + open.length)}\n\n${table.trim()}\n\n${page.slice(end)}`
}

/** The tables in what a benchmark has printed, and the sentences between them; not its title. */
export function tablesIn(printed: string): string {
  const lines = printed.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const last = lines.findLastIndex((line) => line.startsWith('|'))
  if (first < 0) throw new Error('No table was printed.')
  return lines.slice(first, last + 1).join('\n')
}
