import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { percent } from '../format.ts'

interface Point {
  readonly name: string
  /** Against sending everything. */
  readonly cost: number
  /** Of lines that were used later and of edits, the share that still stood: the lower of the two. */
  readonly recall: number
  /** Both, in words. */
  readonly parts: string
}

const height = 280
const left = 62
const bottom = 52
const top = 24
const right = 24
/** Of a line of letters. */
const nameHeight = 16

interface CostAndRecallProps {
  readonly points: readonly Point[]
  /** What the costs hold. */
  readonly costTitle: string
}

/** The width that an element has; it is watched. */
function useWidth() {
  const [width, setWidth] = useState(640)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const watching = new ResizeObserver(([entry]) => setWidth(Math.max(260, entry?.contentRect.width ?? 640)))
    watching.observe(element)
    return () => watching.disconnect()
  }, [])
  return { place, width }
}

/** Strategies by what they cost and what they keep: the better, the farther up and to the left. Drawn at its real width, so that its words keep their size. */
export function CostAndRecall({ points, costTitle }: CostAndRecallProps): JSX.Element | null {
  const { place, width } = useWidth()
  if (points.length === 0) return null
  const costs = points.map(({ cost }) => cost)
  const mostCost = Math.max(1, ...costs) * 1.02
  const leastCost = Math.max(0, Math.min(0.9, ...costs) - 0.1)
  const leastRecall = Math.max(0, Math.min(0.9, ...points.map(({ recall }) => recall)) - 0.05)
  const x = (cost: number): number => left + ((cost - leastCost) / (mostCost - leastCost)) * (width - left - right)
  const y = (recall: number): number => top + ((1 - recall) / (1 - leastRecall)) * (height - bottom - top)
  const words = points.map(({ name, cost, parts }) => `${name}: cost ${percent(cost)}, ${parts}`)
  const names = namePlaces(
    points.map(({ name, cost, recall }) => ({ name: labelOf(name, width), x: x(cost), y: y(recall) })),
    width,
  )
  return (
    <div ref={place} class="scatter">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${costTitle} against lines that later steps used and edits that still stood, the lower of the two. ${words.join('; ')}`}
      >
        {[leastRecall, (1 + leastRecall) / 2, 1].map((recall) => (
          <g key={recall}>
            <line x1={left} x2={width - right} y1={y(recall)} y2={y(recall)} />
            <text x={left - 6} y={y(recall) + 4} text-anchor="end">
              {percent(recall)}
            </text>
          </g>
        ))}
        {[leastCost, (leastCost + 1) / 2, 1].map((cost) => (
          <text key={cost} x={x(cost)} y={height - bottom + 18} text-anchor="middle">
            {percent(cost)}
          </text>
        ))}
        {points.map(({ name, cost, recall }) => (
          <circle key={name} cx={x(cost)} cy={y(recall)} r={5} />
        ))}
        {names.map(({ name, x: at, y: level, anchor }) => (
          <text key={name} class="name" x={at} y={level} text-anchor={anchor}>
            {name}
          </text>
        ))}
        <text x={(left + width - right) / 2} y={height - 8} text-anchor="middle">
          {costTitle}
        </text>
        <text transform={`translate(14 ${(top + height - bottom) / 2}) rotate(-90)`} text-anchor="middle">
          Lines and edits kept, the lower
        </text>
      </svg>
    </div>
  )
}

/** Below it, strategies are told apart by their letters; the table has the names. */
const wideEnough = 520

function labelOf(name: string, width: number): string {
  return width < wideEnough ? (/^[A-D](?= )/.exec(name)?.[0] ?? name) : name
}

interface Place {
  readonly name: string
  readonly x: number
  readonly y: number
}

interface NamePlace extends Place {
  readonly anchor: 'start' | 'end'
}

const letterWidth = 7
/** Where a name may stand beside its point, the best first: the line of its letters, down from the point. */
const levels = [20, -11, 36, -27, 52, 68]

/** Between a name and the points of others: so that it is clear whose name it is, and so that they do not touch. */
const clear = 26
const touching = 12

/** Names beside their points, none upon another or upon another's point. */
function namePlaces(points: readonly Place[], width: number): readonly NamePlace[] {
  const placed: NamePlace[] = []
  for (const { name, x, y } of points) {
    const places = levels.flatMap((level) =>
      (x > width / 2 ? (['end', 'start'] as const) : (['start', 'end'] as const)).map((anchor) => ({
        name,
        x,
        y: y + level,
        anchor,
      })),
    )
    const isFree = (place: NamePlace, distance: number): boolean => {
      const [from, to] = spanOf(place)
      const isInside = from >= 0 && to <= width && place.y > nameHeight
      const isOnName = placed.some(
        (other) => Math.abs(other.y - place.y) < nameHeight && overlaps(spanOf(other), [from, to]),
      )
      const isOnPoint = points.some(
        (other) =>
          other.name !== name &&
          Math.abs(other.y - place.y + 4) < distance &&
          overlaps([other.x - 6, other.x + 6], [from, to]),
      )
      return isInside && !isOnName && !isOnPoint
    }
    const free =
      places.find((place) => isFree(place, clear)) ?? places.find((place) => isFree(place, touching)) ?? places[0]
    if (free !== undefined) placed.push(free)
  }
  return placed
}

type Span = readonly [number, number]

function spanOf({ name, x, anchor }: NamePlace): Span {
  const width = name.length * letterWidth
  return anchor === 'end' ? [x - width, x] : [x, x + width]
}

function overlaps([from, to]: Span, [otherFrom, otherTo]: Span): boolean {
  return from < otherTo && otherFrom < to
}
