import { countsAsResult } from '../../inspect/index.ts'
import type { PolicyTrials, Trial, TrialComparison } from '../../inspect/index.ts'
import { counted } from '../counted.ts'
import { dollarText } from '../dollar-text.ts'
import { stackedTable } from '../text-table.ts'
import { hanging, proseWidth } from '../wrap-text.ts'
import type { LiveReport } from './live-report.ts'

/** The report for people. */
export function liveTable(report: LiveReport, columns: number | undefined): string {
  const { policies, model, provider, tasks, planned, trials } = report
  const width = proseWidth(columns)
  const done = trials.filter(countsAsResult).length
  const spent = report.spentUsd === undefined ? '' : `, ${dollarText(report.spentUsd)} spent`
  const title = `${model} by ${provider}: ${done} of ${planned} runs of ${counted(tasks, 'task')}${spent}`
  const warnings = [...simulatedNote(report), ...stopNote(report), ...withoutResultNote(policies)]
  const verdicts = policies.flatMap(({ policy, comparison }) => (comparison ? verdict(policy, comparison) : []))
  return [
    hanging(title, width),
    ...warnings.map((line) => hanging(line, width)),
    '',
    stackedTable(
      ['', ...policies.map(({ policy }) => policy)],
      rows.map(([name, cell]) => [name, ...policies.map(cell)]),
      columns,
    ),
    '',
    ...verdicts.map((line) => hanging(line, width)),
    ...(verdicts.length === 0 ? [] : ['']),
    hanging(
      'Brackets: 95% intervals; those of means draw whole tasks anew, or single runs of fewer than five tasks. Own calls answer rehydrate.',
      width,
    ),
    '',
  ].join('\n')
}

/** One line while it runs. */
export function liveProgress(
  trials: readonly Trial[],
  planned: number,
  { spentUsd, capUsd }: { readonly spentUsd: number; readonly capUsd: number },
): string {
  const results = trials.filter(countsAsResult)
  const solved = results.filter((trial) => trial.solved).length
  const cap = Number.isFinite(capUsd) ? ` of ${dollarText(capUsd)}` : ''
  return `${results.length} of ${planned} runs, ${solved} solved, ${dollarText(spentUsd)}${cap}`
}

type Cell = (trials: PolicyTrials) => string

const rows: readonly (readonly [name: string, cell: Cell])[] = [
  ['runs', ({ runs }) => `${runs}`],
  ['solved', ({ solved }) => (solved ? `${points(solved.share)}% ${range(solved, points)}` : '')],
  ['dollars a run', ({ usd }) => (usd ? `${dollarText(usd.mean)} ${range(usd, dollarText)}` : '')],
  [
    'share of own calls',
    ({ bill: { usd, ownUsd } }) => (usd && ownUsd !== undefined ? `${points(ownUsd / usd)}%` : ''),
  ],
  ['dollars a solved task', ({ usdPerSolved }) => (usdPerSolved === undefined ? '' : dollarText(usdPerSolved))],
  ['input tokens a run', perRun(({ bill }) => bill.inputTokens)],
  ['read from cache', perRun(({ bill }) => bill.cacheReadTokens)],
  ['written to cache', perRun(({ bill }) => bill.cacheWriteTokens)],
  ['output', perRun(({ bill }) => bill.outputTokens)],
  ['turns', ({ turns }) => (turns ? `${turns.mean.toFixed(1)} ${range(turns, (value) => value.toFixed(1))}` : '')],
  ['rehydrations a run', ({ runs, rehydrations }) => (runs === 0 ? '' : (rehydrations / runs).toFixed(2))],
  ['requests refused', ({ refused }) => `${refused}`],
]

function perRun(of: (trials: PolicyTrials) => number): Cell {
  return (trials) => (trials.runs === 0 ? '' : `${Math.round(of(trials) / trials.runs)}`)
}

interface Bounds {
  readonly low: number
  readonly high: number
}

function range({ low, high }: Bounds, text: (value: number) => string): string {
  return `[${text(low)} to ${text(high)}]`
}

function points(share: number): string {
  return `${Math.round(100 * share)}`
}

function signed(share: number): string {
  return `${share < 0 ? '-' : '+'}${Math.abs(Math.round(100 * share))}`
}

function verdict(policy: string, comparison: TrialComparison): readonly string[] {
  const { baseline, pairs, difference, p, usdRatio } = comparison
  const figures = `${signed(difference.mean)} points ${range(difference, signed)}, p ${p.toFixed(p < 0.1 ? 3 : 2)}`
  const money = usdRatio === undefined ? [] : [`${policy} costs ${points(usdRatio)}% of what ${baseline} costs.`]
  if (comparison.verdict !== 'unclear') {
    const how = comparison.verdict === 'better' ? 'more' : 'fewer'
    return [`${policy} solves ${how} tasks than ${baseline}: ${figures}, ${counted(pairs, 'pair')}.`, ...money]
  }
  return [
    `${counted(pairs, 'pair')} of runs tell no difference between ${policy} and ${baseline}: ${figures}. ${reach(comparison)}`,
    ...money,
  ]
}

/** What the runs would have told. */
function reach({ seenPoints, pairsForTenPoints }: TrialComparison): string {
  const seen =
    seenPoints === undefined
      ? 'So few pairs tell no loss at all'
      : `So many pairs would tell a loss of ${seenPoints} points or more in 80 of 100 experiments`
  const more =
    seenPoints !== undefined && seenPoints <= 10 ? '' : `; 10 points take about ${pairsForTenPoints ?? 'too many'}`
  return `${seen}${more}.`
}

function simulatedNote({ provider, trials }: LiveReport): readonly string[] {
  if (provider !== 'simulated') return []
  const asked = 'No model was asked: this is the simulated provider.'
  if (trials.some(({ solved }) => solved)) return [asked]
  return [
    `${asked} It solves no task without a script that was written for the task, so 0% says nothing about a policy.`,
  ]
}

function stopNote({ stopped }: LiveReport): readonly string[] {
  if (stopped === undefined) return []
  if (stopped.why === 'cap')
    return ['Stopped: the spending cap has no room for another call. --resume with a higher --max-usd goes on.']
  if (stopped.why === 'interrupted') return ['Stopped: interrupted. --resume goes on.']
  return [`Stopped: the provider fails. ${stopped.detail ?? ''}`.trimEnd()]
}

function withoutResultNote(policies: readonly PolicyTrials[]): readonly string[] {
  const without = policies.reduce((sum, { withoutResult }) => sum + withoutResult, 0)
  return without === 0
    ? []
    : [`${counted(without, 'run')} ended without a result and stand in no figure but what was spent.`]
}
