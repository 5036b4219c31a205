import type { ContentKind } from './content-kinds.ts'

/** Kinds whose lines are said by somebody: in code and settings `not` is an operator and `no` a value, and what builds print is half code. */
const worded: ReadonlySet<ContentKind> = new Set(['prose', 'mail', 'log', 'test-output'])
const denies =
  /\b(?:not|no|never|none|cannot|without|nothing|nobody|neither|nor|unless|except|failed to|unable to|[a-z]{2,6}n['’]t)\b|[不没無未]/i
const longest = 400
const mostShare = 0.1
const leastMost = 3
const none: ReadonlySet<number> = new Set()

/**
 * Lines that deny something where words carry it, by their index: without them a reader would take for so what is not. The shortest ones, at most a part of
 * the text's characters, so that what denies all the time does not stand whole; what is said again stands once.
 */
function denyingLines(lines: readonly string[], kind: ContentKind): ReadonlySet<number> {
  if (!worded.has(kind)) return none
  const seen = new Set<string>()
  const found = [...lines.keys()].filter((at) => {
    const line = lines[at] ?? ''
    if (line.length > longest || seen.has(line) || !denies.test(line)) return false
    seen.add(line)
    return true
  })
  if (found.length === 0) return none
  const all = lines.reduce((sum, line) => sum + line.length + 1, 0)
  let room = mostShare * all
  const kept = new Set<number>()
  for (const at of found.toSorted((a, b) => (lines[a]?.length ?? 0) - (lines[b]?.length ?? 0) || a - b)) {
    room -= (lines[at]?.length ?? 0) + 1
    if (room < 0 && kept.size >= leastMost) break
    kept.add(at)
  }
  return kept
}

/** Values by which those lines stay. */
export function withDenials(values: Float32Array, lines: readonly string[], kind: ContentKind): Float32Array {
  const denying = denyingLines(lines, kind)
  return denying.size === 0 ? values : values.map((value, at) => (denying.has(at) ? Math.max(1, value) : value))
}
