import { outputLevels } from '../inspect/index.ts'
import type { CompactionReport, OutputReport, ValueRetention } from '../inspect/index.ts'
import type { SessionsReport } from './eval-sessions.ts'
import { counted } from './counted.ts'
import { percent } from './percent.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

type Row = readonly string[]

/** What a file of sessions says, for people. */
export function sessionsTables(report: SessionsReport, width: number | undefined): string {
  const { name, sessions, outputs, compactions, values } = report
  return [
    outputsTable({ ...outputs, name: `${name}: ${counted(sessions, 'session')}` }, width),
    ...(values.length === 0 ? [] : ['', valuesTable(values)]),
    ...compactions.flatMap((compaction) => ['', compactionTable(compaction, width)]),
  ].join('\n')
}

/** What the ladders make of outputs, and what the detector makes of them. */
export function outputsTable(
  { name, outputs, kinds, structured, flagged, curve }: OutputReport,
  width: number | undefined,
): string {
  const head = ['outputs', 'number', 'tokens', 'lossless', 'trimmed', 'kept', 'strict', 'kept', 'line', 'kept']
  const rows = kinds.map(({ kind, outputs: number, tokens, levels }): Row => [
    kind,
    `${number}`,
    thousands(tokens),
    ...outputLevels.flatMap((level) => {
      const { tokens: left, needed } = levels[level]
      return level === 'lossless' ? [percent(left)] : [percent(left), percent(needed)]
    }),
  ])
  const { documents, exact, values, lost, tokens } = structured
  const reasons = Object.entries(flagged.reasons).map(([reason, times]) => `${reason} ${times}`)
  const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`
  return [
    hanging(`${name}, ${counted(outputs, 'output')}`, width),
    '',
    textTable(head, rows),
    '',
    hanging(
      `JSON in another form: ${documents} documents, ${exact} exact; ${values} values, ${lost} lost; ${percent(tokens) || 'n/a'} of their tokens`,
      width,
    ),
    hanging(
      `taken for orders: ${flagged.outputs} of ${flagged.judged} (${percent(flagged.share) || 'n/a'})${why}`,
      width,
    ),
    ...curveLine(curve),
  ].join('\n')
}

function curveLine({ alpha, beta, knee }: OutputReport['curve']): readonly string[] {
  if (alpha === null || beta === null) return []
  const bends = knee === null ? '' : `, knee at ${knee.toFixed(2)}`
  return [`needed lines kept where r of the tokens is taken away: 1 - ${alpha.toFixed(2)} r^${beta.toFixed(2)}${bends}`]
}

function valuesTable(values: readonly ValueRetention[]): string {
  const rows = values.map(({ name, windowTokens, values: kept, lines, unpacked, requests }): Row => [
    name,
    windowTokens === null ? 'all' : `${windowTokens}`,
    percent(kept),
    percent(lines),
    `${unpacked} of ${requests}`,
  ])
  return textTable(['values of calls', 'tokens', 'kept', 'lines', 'do not fit'], rows)
}

function compactionTable(compaction: CompactionReport, width: number | undefined): string {
  const { trace, after, tokensBefore, needed, laterCharacters, repeatedCharacters, ways } = compaction
  const reread = percent(laterCharacters === 0 ? null : repeatedCharacters / laterCharacters)
  const rows = ways.map((way): Row => {
    if (way.unpacked !== undefined) return [way.name, 'does not fit']
    const shares = [way.needles, way.lines, way.withinReach].map((count) =>
      percent(needed === 0 ? null : count / needed),
    )
    return [
      way.name,
      thousands(way.tokens),
      ...shares,
      percent(laterCharacters === 0 ? null : way.reread / laterCharacters),
    ]
  })
  return [
    hanging(
      `${trace}, compacted after message ${after} (${thousands(tokensBefore)} tokens): ${needed} strings from before were used later, ${reread}% of what was read later had been read`,
      width,
    ),
    '',
    textTable(['compacted', 'tokens', 'strings', 'lines', 'in reach', 'read again'], rows),
  ].join('\n')
}

function thousands(tokens: number): string {
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens)}`
}

export const recordedLegend = [
  'Outputs: tokens that are left in %, without loss, trimmed mildly and as far as lines stay, and as one line; kept: lines that a later step needed and that still stand whole.',
  'Taken for orders: recorded outputs that the detector flags at the threshold of `guarded`; what flags a benign one is wrong.',
  'Values: arguments of calls that only tool output had shown and that stand in the request, in %; what does not fit keeps nothing.',
  'Compacted: strings used later that had stood in tool output before, in %: those that stand, their whole lines, those that stand or that a handle brings back; read again: of what was read later, lines that had been read before and no longer stood.',
]
