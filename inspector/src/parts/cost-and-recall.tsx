import type { JSX } from 'preact'
import { percent } from '../format.ts'

interface Point {
  readonly name: string
  /** Against sending everything. */
  readonly cost: number
  /** Of lines that were used later, the share that still stood. */
  readonly recall: number
}

const width = 640
const height = 220
const left = 54
const bottom = 40
const top = 26

/** Strategies by what they cost and what they keep: the better, the farther up and to the left. */
export function CostAndRecall({ points }: { readonly points: readonly Point[] }): JSX.Element | null {
  if (points.length === 0) return null
  const mostCost = Math.max(1, ...points.map(({ cost }) => cost)) * 1.08
  const leastRecall = Math.min(0.9, ...points.map(({ recall }) => recall)) - 0.05
  const x = (cost: number): number => left + (cost / mostCost) * (width - left - 110)
  const y = (recall: number): number => top + ((1 - recall) / (1 - leastRecall)) * (height - bottom - top)
  const words = points.map(({ name, cost, recall }) => `${name}: cost ${percent(cost)}, lines ${percent(recall)}`)
  return (
    <svg
      class="scatter"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Cost against recall. ${words.join('; ')}`}
    >
      {[leastRecall, (1 + leastRecall) / 2, 1].map((recall) => (
        <g key={recall}>
          <line x1={left} x2={width - 110} y1={y(recall)} y2={y(recall)} />
          <text x={left - 6} y={y(recall) + 4} text-anchor="end">
            {percent(recall)}
          </text>
        </g>
      ))}
      {[0, 0.5, 1].map((cost) => (
        <text key={cost} x={x(cost)} y={height - 14} text-anchor="middle">
          {percent(cost)}
        </text>
      ))}
      {points.map(({ name, cost, recall }, index) => (
        <g key={name}>
          <circle cx={x(cost)} cy={y(recall)} r={5} />
          {/* One above, one below: two strategies are often near each other. */}
          <text class="name" x={x(cost)} y={y(recall) + (index % 2 === 0 ? 20 : -10)} text-anchor="middle">
            {name}
          </text>
        </g>
      ))}
      <text x={width - 110} y={height - 14} text-anchor="start">
        cost
      </text>
    </svg>
  )
}
