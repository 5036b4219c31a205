import type { StrategyReport } from '../src/inspect/index.ts'
import { chartPolicies } from './chart-strategies.ts'
import type { FrontierRun } from './page-tables.ts'
import { placedLabels } from './plot-labels.ts'
import type { LabelledPoint } from './plot-labels.ts'

/** A strategy as a point of the chart. */
export interface FrontierPoint {
  readonly name: string
  /** Settled all: with everything that was missing brought back, as a share of sending everything. */
  readonly cost: number
  /** Mean of the shares of lines, own calls and edits that still stood when they were used. */
  readonly recall: number
  readonly hidesFailures: boolean
}

export interface FrontierPanel {
  readonly title: string
  readonly points: readonly FrontierPoint[]
}

/** The point of a report; undefined where it has no cost, or nothing of a kind was used. */
export function frontierPoint(name: string, report: FrontierReport): FrontierPoint | undefined {
  const { settledAllCostRatio: cost, needleLineRecall: lines, ownCallLineRecall: own, editTextRecall: edits } = report
  if (cost === null || lines === null || own === null || edits === null) return undefined
  return { name, cost, recall: (lines + own + edits) / 3, hidesFailures: report.failuresHidden > 0 }
}

export type FrontierReport = Pick<
  StrategyReport,
  'settledAllCostRatio' | 'needleLineRecall' | 'ownCallLineRecall' | 'editTextRecall' | 'failuresHidden'
>

const titles: Readonly<Record<string, string>> = { swe: 'Coding runs', long: 'Long sessions' }

/** The chart of coding runs and long sessions by the plain rule, or by the only rules that there are. */
export function frontierChart(runs: readonly FrontierRun[]): string {
  const [first] = runs
  const rule = runs.some(({ rules }) => rules === 'plain') ? 'plain' : first?.rules
  const shown = Object.keys(titles).flatMap((set) => runs.find((run) => run.set === set && run.rules === rule) ?? [])
  if (shown.length === 0) throw new Error(`There are no reports of ${Object.keys(titles).join(' or ')}.`)
  const panels = shown.map(({ set, rules, figures }): FrontierPanel => ({
    title: `${titles[set] ?? set}: ${figures[0]?.sessions.length ?? 0} sessions, rules: ${rules}`,
    points: figures.flatMap(({ strategy, report }) => frontierPoint(strategy, report) ?? []),
  }))
  return frontierPlot(panels, new Set(chartPolicies))
}

const width = 900
const height = 400
const margin = { left: 60, top: 50, bottom: 50, right: 40 }
/** What costs more stands at the right edge, with its cost. */
const mostCost = 1.15

const style = `
.ground { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 }
.ours { fill: #0969da; stroke: #0969da } .theirs { fill: #9a6700; stroke: #9a6700 } .hides { fill: none; stroke-width: 2 }
.name-ours { fill: #0969da; font-weight: bold } .name-theirs { fill: #9a6700 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d }
.ours { fill: #4493f8; stroke: #4493f8 } .theirs { fill: #d29922; stroke: #d29922 } .hides { fill: none }
.name-ours { fill: #4493f8 } .name-theirs { fill: #d29922 }
}`

/** Cost against recall, one panel below the other, as SVG; readable on light and dark pages. */
export function frontierPlot(panels: readonly FrontierPanel[], ours: ReadonlySet<string>): string {
  const size = `viewBox="0 0 ${width} ${panels.length * height}"`
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">`
  const drawn = panels.map((panel, row) => drawnPanel(panel, row, ours))
  const ground = '<rect class="ground" width="100%" height="100%"/>'
  return [open, `<style>${style}\n</style>`, ground, ...drawn, '</svg>', ''].join('\n')
}

interface Scale {
  x(cost: number): number
  y(recall: number): number
}

function drawnPanel({ title, points: all }: FrontierPanel, row: number, ours: ReadonlySet<string>): string {
  const points = together(all)
  const least = Math.floor(10 * Math.min(0.9, ...points.map(({ recall }) => recall))) / 10
  const cheapest = Math.floor(10 * Math.min(1, ...points.map(({ cost }) => cost))) / 10
  const leastCost = Math.max(0, cheapest - 0.1)
  const [top, bottom] = [row * height + margin.top, (row + 1) * height - margin.bottom]
  const scale: Scale = {
    x: (cost) =>
      margin.left +
      ((Math.min(cost, mostCost) - leastCost) / (mostCost - leastCost)) * (width - margin.left - margin.right),
    y: (recall) => bottom - ((recall - least) / (1 - least)) * (bottom - top),
  }
  const labels = placedLabels(
    points.map((point): LabelledPoint => ({
      x: scale.x(point.cost),
      y: scale.y(point.recall),
      text: labelOf(point),
    })),
    { left: margin.left, right: width, top: top - 20, bottom },
  )
  return [
    `<text class="text" x="${margin.left}" y="${top - 28}" font-weight="bold">${escaped(title)}</text>`,
    ...recallGrid(scale, least),
    ...costGrid(scale, leastCost, { top, bottom }),
    ...points.map((point) => drawnPoint(point, scale, ours)),
    ...points.map(({ name }, at) => {
      const { x = 0, y = 0, text = '' } = labels[at] ?? {}
      return `<text class="name-${sideOf(name, ours)}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped(text)}</text>`
    }),
  ].join('\n')
}

/** Strategies that come to the same, such as those whose trigger no session reaches, are one point. */
function together(points: readonly FrontierPoint[]): readonly FrontierPoint[] {
  const places = Map.groupBy(points, ({ cost, recall }) => `${cost.toFixed(3)} ${recall.toFixed(3)}`)
  return [...places.values()].flatMap((same) => {
    const one = same.find(({ name }) => name === 'pass-through') ?? same[0]
    if (one === undefined) return []
    return [same.length === 1 ? one : { ...one, name: `${one.name} and ${same.length - 1} that come to the same` }]
  })
}

function recallGrid({ y }: Scale, least: number): readonly string[] {
  const steps = Math.round((1 - least) * 10)
  return Array.from({ length: steps + 1 }, (_, step) => {
    const share = least + step / 10
    const at = y(share).toFixed(1)
    const label = `<text class="faint" x="${margin.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${Math.round(100 * share)}%</text>`
    return `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}"/>${label}`
  })
}

interface Sides {
  readonly top: number
  readonly bottom: number
}

function costGrid({ x }: Scale, least: number, { top, bottom }: Sides): readonly string[] {
  const steps = Math.round(10 * (1 - least))
  const costs = Array.from({ length: steps + 1 }, (_, step) => least + step / 10)
  const lines = costs.map((cost) => {
    const at = x(cost).toFixed(1)
    const label = `<text class="faint" x="${at}" y="${bottom + 18}" text-anchor="middle">${cost.toFixed(1)}</text>`
    return `<line class="grid" x1="${at}" x2="${at}" y1="${top}" y2="${bottom}"/>${label}`
  })
  const about =
    'cost, settled all (sending everything: 1.0); upwards: what still stood when it was used; ring: hides failures'
  return [...lines, `<text class="faint" x="${margin.left}" y="${bottom + 36}">${about}</text>`]
}

function drawnPoint({ name, cost, recall, hidesFailures }: FrontierPoint, { x, y }: Scale, ours: ReadonlySet<string>) {
  const kind = `${sideOf(name, ours)}${hidesFailures ? ' hides' : ''}`
  return `<circle class="${kind}" cx="${x(cost).toFixed(1)}" cy="${y(recall).toFixed(1)}" r="5"/>`
}

function sideOf(name: string, ours: ReadonlySet<string>): string {
  return ours.has(name) ? 'ours' : 'theirs'
}

function labelOf({ name, cost }: FrontierPoint): string {
  return cost > mostCost ? `${name} → ${cost.toFixed(2)}` : name
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
