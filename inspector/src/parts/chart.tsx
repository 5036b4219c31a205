import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'

export interface Series {
  readonly name: string
  /** A value of the style sheet: `--accent`. */
  readonly tone: string
  readonly values: readonly (number | null)[]
  readonly isDashed?: boolean
}

export interface ChartProps {
  /** What it shows, in a sentence; read out in place of the picture. */
  readonly label: string
  /** Of every point: its time in milliseconds, or its ordinal. */
  readonly at: readonly number[]
  readonly isTime?: boolean
  readonly series: readonly Series[]
  readonly write: (value: number) => string
  /** Points that are marked with a line from top to bottom. */
  readonly marks?: readonly number[]
  readonly height?: number
}

/** Lines over time or over requests; drawn on a canvas, so that many points cost little. */
export function Chart({ label, height = 180, ...props }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const { at, series } = props
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let plot = drawn(element, { ...props, label, height })
    const redraw = (): void => {
      plot.destroy()
      plot = drawn(element, { ...props, label, height })
    }
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    const themed = new MutationObserver(redraw)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    sized.observe(element)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    dark.addEventListener('change', redraw)
    return () => {
      sized.disconnect()
      themed.disconnect()
      dark.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [at, series, height])
  return <div ref={place} class="chart" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
}

function drawn(element: HTMLElement, { at, isTime, series, write, marks = [], height = 180 }: ChartProps): UPlot {
  const style = getComputedStyle(element)
  const tone = (name: string): string => resolved(element, style.getPropertyValue(name))
  const axis = { stroke: tone('--quiet'), grid: { stroke: tone('--line'), width: 1 }, ticks: { show: false } }
  return new UPlot(
    {
      width: element.clientWidth,
      height,
      cursor: { y: false },
      scales: { x: { time: isTime === true } },
      axes: [
        isTime === true ? axis : { ...axis, incrs: ordinalSteps },
        { ...axis, size: 72, values: (_, values) => values.map(write) },
      ],
      series: [
        isTime === true
          ? {}
          : { label: 'request', value: (_: UPlot, value: number | null) => String(value ?? at.at(-1) ?? '') },
        ...series.map(({ name, tone: stroke, isDashed, values }) => ({
          label: name,
          stroke: tone(stroke),
          width: 2,
          points: { show: at.length < 2 },
          ...(isDashed === true && { dash: [6, 4] }),
          // Where nobody points at a place: as it ended.
          value: (_: UPlot, value: number | null) => written(value ?? values.at(-1), write),
        })),
      ],
      hooks: { draw: [(plot) => drawMarks(plot, marks, tone('--quiet'))] },
    },
    [isTime === true ? at.map((ms) => ms / 1000) : [...at], ...series.map(({ values }) => [...values])],
    element,
  )
}

function written(value: number | null | undefined, write: (value: number) => string): string {
  return value == null ? '' : write(value)
}

/** Between two requests there is nothing. */
const ordinalSteps = [1, 2, 5]
  .flatMap((step) => [0, 1, 2, 3, 4, 5].map((power) => step * 10 ** power))
  .toSorted((a, b) => a - b)

/** A canvas does not know `light-dark()`: the browser says what it comes to. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function drawMarks(plot: UPlot, marks: readonly number[], tone: string): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.strokeStyle = tone
  ctx.setLineDash([2, 3])
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark, 'x', true)) + 0.5
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
