import type { LadderContext } from '../core/index.ts'
import type { ContentKind } from './content-kind.ts'
import type { FailureReport } from './failure.ts'
import { lineRaters } from './line-raters.ts'
import { nameWorths } from './line-worth.ts'

/**
 * Worth of each line of a tool result in [0, 1]: how likely it is needed again. Lines of 1 are never left out. Must be a
 * pure function of its arguments, as long as `lines`.
 */
export type LineScorer = (
  lines: readonly string[],
  kind: ContentKind,
  context: Pick<LadderContext, 'focus'>,
) => Float32Array

const word = /[A-Za-z_$][\w$-]{3,60}/g
/** How much the rules of a kind and the names in a line weigh. In reports of what was run the outcome counts, not the names. */
const weights = { rule: 0.04, names: 1 } as const
const reportWeights = { rule: 0.2, names: 0.3 } as const
const reports: ReadonlySet<ContentKind> = new Set(['test-output', 'build-output', 'log'])

/** What tools say about what they left out themselves, and what a commit or an edit came to. */
const outcomeForm =
  /\b(?:more lines|lines? not shown|output (?:was )?too long|characters elided|truncated|use offset|files? changed)\b|^\[[\w/.-]+ [0-9a-f]{7,40}\] /i
const outcomeWorth = 0.3

/**
 * The built-in scorer: how likely the names in a line, that no line before it has, are to be used again; a little for what
 * its kind of content says (definitions, matches, changed lines, keys), and for words of the focus.
 */
export const lineImportance: LineScorer = (lines, kind, { focus }) => {
  const values = new Float32Array(lines.length)
  const rate = lineRaters[kind]()
  const weight = reports.has(kind) ? reportWeights : weights
  const seen = new Set<string>()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const start = line.length > 600 ? line.slice(0, 600) : line
    const own = start.trim() === '' ? 0.002 : rate(start, index)
    const told = outcomeForm.test(start) ? outcomeWorth : 0
    const value = told + weight.rule * own + weight.names * newNames(start, seen) + focusBonus(start, own, focus)
    values[index] = Math.min(0.98, value)
  }
  return values
}

function newNames(line: string, seen: Set<string>): number {
  let sum = 0
  for (const { name, worth } of nameWorths(line)) {
    if (seen.has(name)) continue
    seen.add(name)
    sum += worth
  }
  return sum
}

function focusBonus(line: string, own: number, focus: ReadonlySet<string> | undefined): number {
  if (focus === undefined || focus.size === 0 || own < 0.01) return 0
  let hits = 0
  for (const [name] of line.matchAll(word)) if (focus.has(name)) hits++
  return Math.min(0.5, 0.2 * hits)
}

const aroundFailure = 0.3
/** Frames of a traceback nearest to the exception. */
const nearestFrames = 8

/** Raises lines that state a failure to 1, and what stands around them, so that an error stays readable. */
export function withFailures(values: Float32Array, lines: readonly string[], report: FailureReport): Float32Array {
  const raised = Float32Array.from(values)
  for (const at of report.lines) {
    const frames = (lines[at - 1] ?? '').startsWith('  ') ? nearestFrames : 2
    const first = Math.max(0, at - frames)
    const last = Math.min(raised.length - 1, at + 2)
    for (let near = first; near <= last; near++) {
      if ((lines[near] ?? '').trim() !== '') raised[near] = Math.max(raised[near] ?? 0, aroundFailure)
    }
  }
  for (const at of report.lines) raised[at] = 1
  if (report.exitLine !== undefined) raised[report.exitLine] = 1
  return raised
}
