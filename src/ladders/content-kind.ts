/** What kind of text a tool returned; how it is trimmed depends on it. */
export const contentKinds = [
  'json',
  'table',
  'log',
  'test-output',
  'build-output',
  'diff',
  'search-results',
  'directory-listing',
  'source-code',
  'html',
  'prose',
] as const
export type ContentKind = (typeof contentKinds)[number]

const sampleLines = 96
const samplePrefix = 240

/** The lines that harnesses put around a command's output; they say nothing about the kind of the output. */
const envelope = /^<\/?(?:returncode|output|stdout|stderr|result|exit_?code)>|<\/(?:returncode|output|exit_?code)>$/

/**
 * What kind of text this is, from a bounded sample of its lines; deterministic, linear, never throws. The tool's name is a
 * hint where the text alone leaves it open.
 */
export function contentKind(text: string, toolName?: string): ContentKind {
  const lines = sample(text)
  if (lines.length === 0) return 'prose'
  return jsonOrNot(text, lines) ?? byMarks(lines) ?? byShare(lines) ?? byTool(toolName) ?? 'prose'
}

/** Up to 96 non-blank lines: the first 48 and 48 spread over the rest, each cut to its first 240 characters. */
function sample(text: string): readonly string[] {
  const head = firstLines(text, 0, sampleLines / 2)
  const lines = [...head.lines]
  const rest = text.length - head.end
  if (rest > 0) {
    const stops = 12
    for (let stop = 0; stop < stops; stop++) {
      const from = head.end + Math.floor((rest * stop) / stops)
      const start = stop === 0 ? from : text.indexOf('\n', from) + 1
      if (start > 0) lines.push(...firstLines(text, start, sampleLines / 2 / stops).lines)
    }
  }
  return lines
}

interface Sampled {
  readonly lines: readonly string[]
  readonly end: number
}

function firstLines(text: string, start: number, limit: number): Sampled {
  const lines: string[] = []
  let at = start
  for (let round = 0; round < limit * 3 && lines.length < limit && at < text.length; round++) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    const line = text.slice(at, Math.min(end, at + samplePrefix)).trimEnd()
    if (line !== '' && !envelope.test(line)) lines.push(line)
    at = end + 1
  }
  return { lines, end: Math.min(at, text.length) }
}

/** JSON by its two ends: an object or array whose second token is one that JSON allows there. */
function jsonOrNot(text: string, lines: readonly string[]): ContentKind | undefined {
  const start = /^\s{0,64}([[{])\s{0,4096}(["[{\]}\d-]|true|false|null)/.exec(text.slice(0, 5000))
  if (start === null)
    return lines.length > 1 && lines.every((line) => /^\s*[[{]".*[\]}],?$/.test(line)) ? 'json' : undefined
  if (start[1] === '{' && !/["}]/.test(start[2] ?? '')) return undefined
  const tail = text.slice(-64).trimEnd()
  const closes = tail.endsWith(start[1] === '{' ? '}' : ']')
  return closes || lines.filter((line) => /^\s*"[^"]+": ?/.test(line)).length * 2 > lines.length ? 'json' : undefined
}

interface Mark {
  readonly kind: ContentKind
  readonly form: RegExp
  /** How many sampled lines must match. */
  readonly atLeast: number
}

/** Lines that settle the kind by themselves, most telling first. */
const marks: readonly Mark[] = [
  { kind: 'diff', form: /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+)/, atLeast: 1 },
  { kind: 'log', form: /^Traceback \(most recent call last\)/, atLeast: 1 },
  { kind: 'html', form: /^\s*<(?:!doctype html|html[\s>]|head>|body[\s>])/i, atLeast: 1 },
  {
    kind: 'test-output',
    form: /^(?:=+ test session starts|=+ (?:FAILURES|ERRORS|short test summary)|Ran \d+ tests? in|collected \d+ items|Testing against |--- (?:PASS|FAIL)|test result: |Test Suites: |\s*(?:✓|✔|√|✕|✗) |(?:not )?ok \d+ |TAP version|FAILED \S+::|\S+::\S+ (?:PASSED|FAILED|ERROR)|\S.{0,160}? \.\.\. (?:ok|FAIL|ERROR|skipped)\b)/,
    atLeast: 1,
  },
  {
    kind: 'build-output',
    form: /^(?:\[\s*\d+%\] |(?:\s+)?Compiling |gcc |g\+\+ |cc -|clang|make(?:\[\d+\])?: |> tsc\b|[^\s(]{1,160}\(\d+,\d+\): error TS\d+|\S+:\d+:\d+: (?:error|warning)|Requirement already satisfied|Collecting \S|Successfully (?:installed|built)|npm (?:warn|ERR!)|added \d+ packages|running (?:build|install|egg_info)|> \S+@\S+ \w+)/,
    atLeast: 1,
  },
]

function byMarks(lines: readonly string[]): ContentKind | undefined {
  for (const { kind, form, atLeast } of marks) {
    let count = 0
    for (const line of lines) if (form.test(line) && ++count >= atLeast) return kind
  }
  return undefined
}

interface Share {
  readonly kind: ContentKind
  readonly form: RegExp
  /** Share of the sampled lines that must match. */
  readonly share: number
}

/** Kinds that show in most lines, most specific first. */
const shares: readonly Share[] = [
  { kind: 'directory-listing', form: /^(?:total \d+$|[bcdlps-][rwxsStT-]{9}[.+@]?\s+\d)/, share: 0.6 },
  { kind: 'search-results', form: /^(?:[\w@.~+-]*[/.][\w@./~+ -]*?[:-]\d+[:-]|--$)/, share: 0.6 },
  { kind: 'directory-listing', form: /^(?:[\w@.~+-]*\/)+[\w@.~+-]*(?: \([^)]*\))?:?$/, share: 0.7 },
  { kind: 'search-results', form: /^(?:[\w@.~+-]+\/)+[\w@.~+-]+\.\w{1,8}:\s*\S/, share: 0.6 },
  { kind: 'directory-listing', form: /^[\s│|]*(?:[├└]──|[|`+\\]--)|^[\w .@+-]+\/$/, share: 0.5 },
  {
    kind: 'log',
    form: /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d |\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE)\b|[0-9a-f]{7,40} \S)/,
    share: 0.5,
  },
]

function byShare(lines: readonly string[]): ContentKind | undefined {
  for (const { kind, form, share } of shares) {
    if (lines.filter((line) => form.test(line)).length >= Math.max(1, share * lines.length)) return kind
  }
  if (isNumberedSearch(lines)) return 'search-results'
  if (isYaml(lines)) return 'prose'
  if (isTable(lines)) return 'table'
  if (isCode(lines)) return 'source-code'
  return lines.filter((line) => /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/i.test(line)).length > 0.5 * lines.length
    ? 'html'
    : undefined
}

/** `grep -n` in one file: numbers that jump, or separators between groups; a numbered view counts on by one. */
function isNumberedSearch(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => (line === '--' ? -1 : Number(/^(\d{1,7})[:-]/.exec(line)?.[1] ?? Number.NaN)))
  if (numbers.filter((value) => !Number.isNaN(value)).length < 0.8 * lines.length) return false
  let steady = 0
  for (let index = 1; index < numbers.length; index++) {
    if (numbers[index] === (numbers[index - 1] ?? 0) + 1) steady++
  }
  return numbers.includes(-1) || steady < 0.5 * (numbers.length - 1)
}

/** Keys before colons in most lines, or in some where the first line has one and hardly any line ends like code. */
function isYaml(lines: readonly string[]): boolean {
  const keyed = lines.filter((line) => /^\s*(?:- )?[\w-]+:(?:\s|$)/.test(line)).length
  if (keyed > 0.5 * lines.length) return true
  const startsKeyed = /^(?:- )?[\w-]+:(?:\s|$)/.test(lines[0] ?? '')
  return (
    startsKeyed &&
    keyed >= 0.15 * lines.length &&
    lines.filter((line) => /[;{)]$/.test(line)).length < 0.1 * lines.length
  )
}

/** Three or more lines with the same number of tabs, bars or commas, or in columns of two and more spaces. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3) return false
  return ['\t', '|', ',', '  '].some((delimiter) => sameColumns(lines, delimiter))
}

function sameColumns(lines: readonly string[], delimiter: string): boolean {
  const header = columns(lines[0] ?? '', delimiter)
  if (header < (delimiter === '\t' ? 1 : 2)) return false
  if (delimiter === ',' && lines.some((line) => /^\s+\S|[;{(]$/.test(line))) return false
  return lines.filter((line) => columns(line, delimiter) === header).length >= 0.8 * lines.length
}

/** How often a delimiter stands in a line; runs of spaces count once, and not at all where the line is indented. */
function columns(line: string, delimiter: string): number {
  if (delimiter === '  ') return line.startsWith(' ') ? 0 : gaps(line)
  let count = 0
  let at = line.indexOf(delimiter, delimiter === '\t' ? line.length - line.trimStart().length : 0)
  for (; at !== -1; at = line.indexOf(delimiter, at + 1)) count++
  return count
}

/** Runs of two and more spaces. */
function gaps(line: string): number {
  let count = 0
  for (let at = line.indexOf('  '); at !== -1; at = line.indexOf('  ', at)) {
    count++
    while (line.charCodeAt(at) === 32) at++
  }
  return count
}

const numbered = /^\s*\d{1,7}(?:[:\t→|-]| {2})/
const codeStart =
  /^\s*(?:import |from [\w.]+ import|export |def |class |async |function |const |let |var |return\b|if[ (]|elif |else[: {]|for[ (]|while[ (]|try[: {]|except\b|raise |with |@\w|#include|public |private |protected |static |fn |pub |use |func |package |struct |enum |interface |type \w+ ?=|self\.|this\.|await |assert |print\(|yield |\/\/|\/\*|\*\/|\* |"""|#!|}|\)|\])/
const codeEnd = /(?:[{};:,([\\]|\)|=>|\]|\bpass|"""|\*\/)$/

function isCode(lines: readonly string[]): boolean {
  const bare = lines.map((line) => line.replace(numbered, ''))
  const hasNumbers = lines.filter((line) => numbered.test(line)).length > 0.7 * lines.length
  let score = 0
  for (const line of bare) {
    if (codeStart.test(line)) score += 1
    else if (codeEnd.test(line) && /[=({[]|^\s/.test(line)) score += 0.7
    else if (/^(?: {4}|\t)/.test(line)) score += 0.3
  }
  return score >= (hasNumbers ? 0.2 : 0.45) * lines.length
}

const toolHints: readonly (readonly [RegExp, ContentKind])[] = [
  [/grep|^rg$|search_files|find_in/i, 'search-results'],
  [/^ls$|^glob$|list_dir|list_files|^find$|^tree$/i, 'directory-listing'],
  [/diff/i, 'diff'],
]

function byTool(toolName: string | undefined): ContentKind | undefined {
  if (toolName === undefined) return undefined
  return toolHints.find(([form]) => form.test(toolName))?.[1]
}
