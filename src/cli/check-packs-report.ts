import { qualityTargets } from '../core/index.ts'
import type { FigureCheck, PackBaseline, QualitySpread } from '../inspect/index.ts'
import { fittedTable } from './text-table.ts'

export interface CheckedPacks {
  readonly baseline: PackBaseline
  readonly spreads: readonly QualitySpread[]
  /** Absent where there is nothing to compare with. */
  readonly checks: readonly FigureCheck[] | undefined
}

/** Figures beside those to hold to, then how quality lies over all packs and which gates would have fired. */
export function checkReport({ baseline, spreads, checks }: CheckedPacks, columns?: number): string {
  const { policy, traces, requests, figures } = baseline
  const head = `policy ${policy.id} ${policy.version}, ${traces} traces, ${requests} requests`
  const table =
    checks === undefined
      ? fittedTable(
          ['figure', 'now'],
          Object.entries(figures).map(([name, value]) => [name, shown(name, value)]),
          { columns, drop: [] },
        )
      : fittedTable(['figure', 'baseline', 'now', 'may move', ''], checks.map(checkRow), {
          columns,
          drop: ['may move'],
        })
  return `${[head, '', table, '', spreadTable(spreads, columns), '', verdict(checks)].join('\n').trimEnd()}\n`
}

function checkRow({ name, before, now, by, verdict: found }: FigureCheck): readonly string[] {
  return [name, shown(name, before), shown(name, now), String(by), found === 'same' ? '' : found]
}

const counts: ReadonlySet<string> = new Set(['failuresHidden', 'unpacked'])

function shown(name: string, value: number | null): string {
  if (value === null) return 'n/a'
  return counts.has(name) ? String(value) : value.toFixed(4)
}

function spreadTable(spreads: readonly QualitySpread[], columns?: number): string {
  const rows = spreads.map(({ measure, packs, p10, median, p90, least, most, judged, breaches }) => {
    const { least: low, most: high } = qualityTargets[measure]
    const target = [low === undefined ? '' : `>= ${low}`, high === undefined ? '' : `<= ${high}`]
    const figures = [least, p10, median, p90, most].map((value) => (value === null ? 'n/a' : value.toFixed(3)))
    return [measure, ...figures, target.filter(Boolean).join(' '), String(packs), String(judged), String(breaches)]
  })
  const head = ['quality', 'least', 'p10', 'median', 'p90', 'most', 'target', 'packs', 'judged', 'out']
  return fittedTable(head, rows, { columns, drop: ['packs', 'least', 'most', 'target'] })
}

function verdict(checks: readonly FigureCheck[] | undefined): string {
  if (checks === undefined) return ''
  const worse = checks.filter(({ verdict: found }) => found === 'worse' || found === 'gone').map(({ name }) => name)
  return worse.length === 0 ? 'Nothing is worse than its bound allows.' : `Worse than allowed: ${worse.join(', ')}.`
}
