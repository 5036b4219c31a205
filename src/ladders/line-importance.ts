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

const word = /[A-Za-z_$][\w$-]{3,60}|\b\d[\w-]{4,40}/g
/** Words that name something: with a capital inside, an underscore, a digit, or long. */
const naming = /[a-z][A-Z]|[_$\d]|^[A-Z][a-z]+[A-Z]|.{11}/

/**
 * The built-in scorer. A line is worth what its kind of content says (definitions, matches, changed lines, keys), more for
 * names that no line before it has, more for words of the focus, and little without a name.
 */
export const lineImportance: LineScorer = (lines, kind, { focus }) => {
  const values = new Float32Array(lines.length)
  const rate = lineRaters[kind]()
  const seen = new Set<string>()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const start = line.length > 600 ? line.slice(0, 600) : line
    const own = start.trim() === '' ? 0.002 : rate(start, index)
    values[index] = Math.min(0.98, own * newNames(start, seen) + focusBonus(start, own, focus))
  }
  return values
}

/** A factor from 0.35 (nothing new) to 1.6 (several new names). */
function newNames(line: string, seen: Set<string>): number {
  let fresh = 0
  for (const [name] of line.matchAll(word)) {
    if (!naming.test(name) || seen.has(name)) continue
    seen.add(name)
    fresh++
  }
  return fresh === 0 ? 0.35 : Math.min(1.6, 0.7 + 0.3 * fresh)
}

function focusBonus(line: string, own: number, focus: ReadonlySet<string> | undefined): number {
  if (focus === undefined || focus.size === 0 || own < 0.01) return 0
  let hits = 0
  for (const [name] of line.matchAll(word)) if (focus.has(name)) hits++
  return Math.min(0.5, 0.2 * hits)
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
