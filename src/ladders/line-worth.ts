import { namesIn } from './names.ts'

/**
 * How likely a name that only a tool result has shown is to be used in a later step, by what kind of name it is and what
 * kind of line it stands in. Weights of a logistic model, fitted to 130 recorded coding runs (`docs/benchmarks/recorded-sessions.md`).
 */
const bias = -2.9

interface LineKind {
  readonly form: RegExp
  /** What the first character that is not blank may be. */
  readonly first: string
  readonly weight: number
}

const word = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'

/** Of several that a line is of the first counts. */
const lineKinds: readonly LineKind[] = [
  { form: /^\s*(?:async\s+)?(?:def|function|func|fn)\s/, first: 'adf', weight: 0.61 },
  { form: /^\s*(?:export\s+)?(?:abstract\s+)?(?:class|interface|struct|enum|type)\s/, first: 'aceist', weight: 0.52 },
  { form: /^\s*(?:from\s+\S+\s+import|import\s|export\s.*from|require\()/, first: 'efir', weight: 0.5 },
  { form: /^\s*(?:#|\/\/|\*|"""|''')/, first: `#/*"'`, weight: -0.2 },
  { form: /^\s*@\w/, first: '@', weight: 0.49 },
  { form: /^[.~/]?[\w./-]+\/[\w./-]+$/, first: `.~/-${word}`, weight: 0.52 },
  { form: /^[-d][rwx-]{9}/, first: '-d', weight: -0.84 },
  { form: /^\s*return\b/, first: 'r', weight: -0.19 },
  { form: /^\s*(?:if|elif|for|while|with|assert)\b/, first: 'aefiw', weight: 0.47 },
  { form: /^\s*[\w.]+(?:\[[^\]]*\])?\s*=[^=]/, first: `.${word}`, weight: 0.31 },
  { form: /^\s*[\w.]+\(/, first: `.${word}`, weight: 0.17 },
]

/** The kinds that a line can be of, by its first character that is not blank. */
const kindsByFirst = Array.from({ length: 128 }, (_, unit) =>
  lineKinds.filter(({ first }) => first.includes(String.fromCharCode(unit))),
)

/** By eighths of a name's length: very short and very long names come back seldom. */
const lengthWeights = [-2.39, 0.63, 0.38, 0.28, 0.32, -0.3]
/** By the number of names in the line. */
const crowdWeights = [0, 0.05, -0.2, -0.32, -0.4]

/** A name of a line and the likelihood, in [0, 1], that a later step uses it. */
export interface NameWorth {
  readonly name: string
  readonly worth: number
}

/** The names of a line with their worth, in order of appearance. */
export function nameWorths(line: string): readonly NameWorth[] {
  const names = namesIn(line)
  if (names.length === 0) return []
  const common = bias + lineWeight(line) + (crowdWeights[Math.min(4, names.length)] ?? 0)
  return names.map((name) => ({ name, worth: logistic(common + nameWeight(name)) }))
}

/** Numbers and paths that views and searches put before a line. */
const prefixForm = /^\s*(?:\d+[:\-\t|]\s?|[./\w-]+\.\w+[:-](?:\d+[:-])?)/

function lineWeight(line: string): number {
  const start = line.length > 400 ? line.slice(0, 400) : line
  const body = prefixForm.test(start) ? start.replace(prefixForm, '') : start
  const kinds = kindsByFirst[body.trimStart().charCodeAt(0)] ?? lineKinds
  for (const { form, weight } of kinds) if (form.test(body)) return weight
  return 0
}

/** Of names as `namesIn` reads them: of letters, digits, `_`, `.`, `/` and `-`. */
function nameWeight(name: string): number {
  return kindWeight(name) + (lengthWeights[Math.min(5, name.length >> 3)] ?? 0)
}

function kindWeight(name: string): number {
  if (name.includes('/')) return /\/.*\.\w{1,4}$/.test(name) ? 0.48 : -0.29
  if (name.includes('.')) return /^(?:self|this|cls)\./.test(name) ? 0.16 : 0.62
  if (name.includes('-')) return -1.78
  if (/^__\w+__$/.test(name)) return 0.06
  const isConstant = !/[a-z]/.test(name)
  if (isConstant) return -0.23
  if (/^[A-Z]/.test(name)) return 0.46
  return name.includes('_') ? -0.08 : -0.4
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
