import { counted } from './counted.ts'
import { recommendedPolicies } from '../compiler/index.ts'
import type { ExplainedPolicy, PolicyDifference } from '../compiler/index.ts'
import type { Situation } from '../core/index.ts'
import { percent } from '../inspect/index.ts'
import type { PolicyTraffic, Traffic } from './policy-traffic.ts'
import { printable } from './printable.ts'
import { stackedTable, textTable } from './text-table.ts'
import { wrapped } from './wrap-text.ts'

interface ListedPolicy {
  readonly id: string
  readonly version: string
  readonly about: string
  /** When to take it; of recommended policies. */
  readonly when?: string
}

/** The recommended policies, each with when to take it, the default first; then all others. */
export function policyList(list: readonly ListedPolicy[], columns = Number.POSITIVE_INFINITY): string {
  const order = Object.keys(recommendedPolicies)
  const recommended = list
    .filter(({ when }) => when !== undefined)
    .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
  const presets = list.filter(({ when }) => when === undefined)
  return [
    policyTable(['recommended', 'when to take it'], recommended, columns),
    policyTable(['preset', 'what it does'], presets, columns),
    `${wrapped('prehend policy explain POLICY shows every figure of one.', columns).join('\n')}\n`,
  ].join('\n')
}

/** Text that a line has no room for goes on below itself. */
function policyTable(
  [heading, told]: readonly [string, string],
  list: readonly ListedPolicy[],
  columns: number,
): string {
  const names = textTable(
    [heading, 'version'],
    list.map(({ id, version }) => [id, version]),
    ['version'],
  ).split('\n')
  const about = 2 + names.reduce((most, { length }) => Math.max(most, length), 0)
  const lines = names.flatMap((name, at) => {
    const { about: does = '', when = does } = list[at - 1] ?? {}
    const words = at === 0 ? told : printable(when)
    return wrapped(words, columns - about).map((part, row) => `${(row === 0 ? name : '').padEnd(about)}${part}`)
  })
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

export function explanationText(explained: ExplainedPolicy, width?: number): string {
  const { id, version, revision, situation, overrides, values } = explained
  const rows = values.map(({ path, value, from, base }) => [
    path,
    shown(value),
    from,
    base === undefined ? '' : shown(base),
  ])
  return [
    `policy ${printable(id)}, version ${version}, revision ${revision}`,
    situationLine(situation),
    overrides.length === 0 ? 'no override holds' : `overrides that hold, in their order: ${overrides.join('; ')}`,
    '',
    stackedTable(['figure', 'in force', 'from', 'base value'], rows, width),
    '',
  ].join('\n')
}

function situationLine(situation: Situation): string {
  const said = Object.entries(situation).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return said.length === 0 ? 'no situation given' : `where: ${said.join(', ')}`
}

export interface Compared {
  readonly before: string
  readonly after: string
  readonly situation: Situation
  readonly differences: readonly PolicyDifference[]
  readonly traffic?: Traffic
}

export function comparisonText({ before, after, situation, differences, traffic }: Compared, width?: number): string {
  const rows = differences.map((one) => [one.path, shown(one.before), shown(one.after)])
  return [
    `A: ${before}, B: ${after}, ${situationLine(situation)}`,
    '',
    rows.length === 0 ? 'They say the same.' : stackedTable(['figure', 'A', 'B'], rows, width),
    '',
    ...(traffic === undefined ? [] : [trafficText(traffic, width), '']),
  ].join('\n')
}

interface Measure {
  readonly title: string
  cell(one: PolicyTraffic): string
}

const measures: readonly Measure[] = [
  { title: 'cost, against sending everything', cell: ({ report }) => ratio(report.costRatio) },
  { title: 'cost of the dearest trace', cell: ({ report }) => ratio(report.worstTraceCostRatio) },
  { title: 'cost, with all that is missing fetched', cell: ({ report }) => ratio(report.settledAllCostRatio) },
  { title: 'tokens', cell: ({ report }) => String(Math.round(report.tokens)) },
  { title: 'lines of tool output still there', cell: ({ report }) => percent(report.needleLineRecall) },
  { title: 'lines of own calls still there', cell: ({ report }) => percent(report.ownCallLineRecall) },
  { title: 'quoted by edits and still there', cell: ({ report }) => percent(report.editTextRecall) },
  { title: 'requests that exceed the window, or are refused', cell: ({ report }) => String(report.refused) },
  { title: 'requests that were not packed', cell: ({ report }) => countsText(report.unpacked) },
]

function trafficText({ provider, traces, requests, policies }: Traffic, width?: number): string {
  const sections = [...new Set(policies.flatMap((one) => Object.keys(one.sections)))].toSorted()
  const rows = [
    ...measures.map(({ title, cell }) => [title, ...policies.map(cell)]),
    ...sections.map((section) => [
      `tokens of ${section}`,
      ...policies.map((one) => String(one.sections[section] ?? 0)),
    ]),
  ]
  return [
    `on ${counted(traces, 'recorded trace')} with ${counted(requests, 'request')}, billed by the rules of ${provider}:`,
    '',
    stackedTable(['measure', 'A', 'B'], rows, width),
  ].join('\n')
}

function shown(value: PolicyDifference['before']): string {
  if (value === undefined) return '-'
  return typeof value === 'number' ? String(Number(value.toFixed(6))) : String(value)
}

function ratio(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(3)
}

function countsText(outcomes: Readonly<Record<string, number>>): string {
  return (
    Object.entries(outcomes)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', ') || 'none'
  )
}
