import type { LadderContext } from '../core/index.ts'
import type { ContentKind } from './content-kind.ts'
import type { FailureReport } from './failure.ts'
import { lineRaters } from './line-raters.ts'

/**
 * Worth of each line of a tool result in [0, 1]: how likely it is needed again. Lines of 1 are never left out. Must be a
 * pure function of its arguments, as long as `lines`.
 */
export type LineScorer = (
  lines: readonly string[],
  kind: ContentKind,
  context: Pick<LadderContext, 'focus'>,
) => Float32Array

/** The built-in scorer: rules per kind of content, raised at heads, tails and lines that carry words of the focus. */
export const lineImportance: LineScorer = (lines, kind, { focus }) => {
  const values = new Float32Array(lines.length)
  const rate = lineRaters[kind]()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const start = line.length > 600 ? line.slice(0, 600) : line
    const own = start.trim() === '' ? 0.02 : rate(start, index)
    const placed = Math.max(own, own * edge(index, lines.length))
    values[index] = Math.min(0.98, focus === undefined || focus.size === 0 ? placed : focused(placed, start, focus))
  }
  return values
}

/** The first and last lines are worth more than their like in the middle. */
function edge(index: number, size: number): number {
  if (index < 4) return 1.8
  return index >= size - 4 ? 1.6 : 1
}

function focused(value: number, line: string, focus: ReadonlySet<string>): number {
  let hits = 0
  for (const match of line.matchAll(/[A-Za-z_][\w.-]{2,60}/g)) if (focus.has(match[0])) hits++
  return hits === 0 ? value : Math.max(value, Math.min(0.95, value + 0.2 + 0.15 * hits))
}

/** Raises lines that state a failure to 1, and their surroundings, so that an error stays readable (DESIGN section 8). */
export function withFailures(values: Float32Array, lines: readonly string[], report: FailureReport): Float32Array {
  const raised = Float32Array.from(values)
  for (const at of report.lines) {
    const isTraceback = (lines[at] ?? '').includes('Traceback (most')
    const after = isTraceback ? 60 : 3
    for (let near = at - 3; near <= at + after; near++) {
      if (near < 0 || near >= raised.length) continue
      const worth = isTraceback && near > at ? tracebackWorth(lines, near) : 0.6
      if ((raised[near] ?? 0) < worth) raised[near] = worth
    }
  }
  for (const at of report.lines) raised[at] = 1
  return raised
}

function tracebackWorth(lines: readonly string[], index: number): number {
  return /^\s+(?:File "|at |\S)/.test(lines[index] ?? '') ? 0.8 : 0.1
}
