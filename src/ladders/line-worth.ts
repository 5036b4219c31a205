import { namesIn } from './names.ts'

/**
 * How likely a name that only a tool result has shown is to be used in a later step, by what kind of name it is and what
 * kind of line it stands in. Weights of a logistic model, fitted to 130 recorded coding runs (`docs/benchmarks.md`).
 */
const bias = -2.9

const lineWeights: readonly (readonly [kind: RegExp, weight: number])[] = [
  [/^\s*(?:async\s+)?(?:def|function|func|fn)\s/, 0.61],
  [/^\s*(?:export\s+)?(?:abstract\s+)?(?:class|interface|struct|enum|type)\s/, 0.52],
  [/^\s*(?:from\s+\S+\s+import|import\s|export\s.*from|require\()/, 0.5],
  [/^\s*(?:#|\/\/|\*|"""|''')/, -0.2],
  [/^\s*@\w/, 0.49],
  [/^[.~/]?[\w./-]+\/[\w./-]+$/, 0.52],
  [/^[-d][rwx-]{9}/, -0.84],
  [/^\s*return\b/, -0.19],
  [/^\s*(?:if|elif|for|while|with|assert)\b/, 0.47],
  [/^\s*[\w.]+(?:\[[^\]]*\])?\s*=[^=]/, 0.31],
  [/^\s*[\w.]+\(/, 0.17],
]

const nameWeights: readonly (readonly [kind: RegExp, weight: number])[] = [
  [/\/.*\.\w{1,4}$/, 0.48],
  [/\//, -0.29],
  [/^(?:self|this|cls)\./, 0.16],
  [/\./, 0.62],
  [/-/, -1.78],
  [/^__\w+__$/, 0.06],
  [/^[A-Z0-9_]+$/, -0.23],
  [/^[A-Z]/, 0.46],
  [/_/, -0.08],
  [/^/, -0.4],
]

/** By eighths of a name's length: very short and very long names come back seldom. */
const lengthWeights = [-2.39, 0.63, 0.38, 0.28, 0.32, -0.3]
/** By the number of names in the line. */
const crowdWeights = [0, 0.05, -0.2, -0.32, -0.4]

/** A name of a line and the likelihood, in [0, 1], that a later step uses it. */
export interface NameWorth {
  readonly name: string
  readonly worth: number
}

/** The names of a line with their worth, in order of appearance. Pure; memoise by line. */
export function nameWorths(line: string): readonly NameWorth[] {
  const names = namesIn(line)
  if (names.length === 0) return []
  const common = bias + lineWeight(line) + (crowdWeights[Math.min(4, names.length)] ?? 0)
  return names.map((name) => ({ name, worth: logistic(common + nameWeight(name)) }))
}

/** Numbers and paths that views and searches put before a line. */
const prefixForm = /^\s*(?:\d+[:\-\t|]\s?|[./\w-]+\.\w+[:-](?:\d+[:-])?)/

function lineWeight(line: string): number {
  const start = line.slice(0, 400)
  const body = start.replace(prefixForm, '')
  for (const [kind, weight] of lineWeights) if (kind.test(body)) return weight
  return 0
}

function nameWeight(name: string): number {
  const length = lengthWeights[Math.min(5, name.length >> 3)] ?? 0
  for (const [kind, weight] of nameWeights) if (kind.test(name)) return weight + length
  return length
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
