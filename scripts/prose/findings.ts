import { rules } from './rules.ts'
import type { Rule } from './rules.ts'
import { proseOfJsx, proseOfMarkdown, proseOfSource, sentencesOf } from './texts.ts'

export interface Finding {
  readonly file: string
  readonly line: number
  readonly sentence: string
  readonly rule: Rule
}

/** What breaks a rule in a page, in a page of the inspector (`.tsx`) or in any other source file. */
export function findingsIn(file: string, content: string): readonly Finding[] {
  const strings = file.endsWith('.md') ? proseOfMarkdown(content) : proseOfSource(content)
  const prose = file.endsWith('.tsx') ? [...strings, ...proseOfJsx(content)] : strings
  return prose
    .flatMap(sentencesOf)
    .flatMap(({ text, plain, line }) =>
      rules.filter((rule) => rule.breaks(plain)).map((rule) => ({ file, line, sentence: text, rule })),
    )
}

/** The row of the table in which a finding counts: its page, or its room (`src/cli`, `inspector/src`). */
export function rowOf(file: string): string {
  return file.endsWith('.md') ? file : file.split('/').slice(0, 2).join('/')
}

export type Remaining = Readonly<Record<string, number>>

export function countsOf(findings: readonly Finding[]): Remaining {
  const byRow = Object.groupBy(findings, ({ file }) => rowOf(file))
  return Object.fromEntries(
    Object.entries(byRow)
      .map(([row, found = []]) => [row, found.length] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Numbers only fall: a row with more findings than it may have fails, and so does one with fewer. */
export function faultsOf(counts: Remaining, remaining: Remaining): readonly string[] {
  const rows = [...new Set([...Object.keys(counts), ...Object.keys(remaining)])].toSorted()
  return rows.flatMap((row) => {
    const found = counts[row] ?? 0
    const allowed = remaining[row] ?? 0
    if (found > allowed) return [`${row}: ${found} findings, ${allowed} allowed. Rewrite the sentences.`]
    if (found < allowed)
      return [`${row}: ${found} findings, ${allowed} allowed. Lower the number: npm run check:prose -- --fix`]
    return []
  })
}

/** The table with each number lowered to what was found; none is raised, and rows without findings leave. */
export function lowered(counts: Remaining, remaining: Remaining): Remaining {
  return Object.fromEntries(
    Object.entries(remaining)
      .map(([row, allowed]) => [row, Math.min(allowed, counts[row] ?? 0)] as const)
      .filter(([, allowed]) => allowed > 0),
  )
}
