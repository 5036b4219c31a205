import { jsonValue } from '../core/index.ts'
import { indentOf } from './failure-line.ts'
import { linesOfFailureLists } from './failure-lists.ts'

/** What a result that is JSON says of its own success. */
export interface JsonFailure {
  readonly failed: boolean
  /** Whether its strings are what a command printed, and so may state failures. */
  readonly printed: boolean
  /** Whether the lines of its strings are looked at. */
  readonly looked: boolean
}

const longestParsed = 400_000

/** Reads what its outermost values say; what stands deeper are data. Undefined where the text is no JSON document. */
export function jsonFailure(text: string): JsonFailure | undefined {
  if (text.length > longestParsed || !/^\s*[[{]/.test(text.slice(0, 100))) return undefined
  try {
    return ofValue(JSON.parse(text))
  } catch {
    return undefined
  }
}

function ofValue(value: unknown): JsonFailure {
  if (Array.isArray(value)) return { failed: startsBadly(value), printed: false, looked: false }
  if (!isObject(value)) return { failed: false, printed: false, looked: false }
  const printed = ['stdout', 'stderr', 'output'].some((key) => typeof value[key] === 'string')
  const failed =
    isFlagged(value) ||
    (value['isError'] === undefined && startsBadly(value['content'])) ||
    (value['isError'] !== true && holdsFlagged(value))
  return { failed, printed, looked: printed || failed }
}

type Fields = { readonly [Key in string]?: unknown }

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFlagged(value: Fields): boolean {
  if (value['isError'] === true || value['is_error'] === true) return true
  if (value['success'] === false || value['ok'] === false) return true
  if (['error', 'errors', 'error_message', 'exception'].some((key) => says(value[key]))) return true
  if (['failures', 'failed'].some((key) => isFilled(value[key]))) return true
  if (['status', 'state', 'conclusion', 'type'].some((key) => isBad(value[key]))) return true
  const code = value['status'] ?? value['statusCode'] ?? value['status_code']
  const explained = ['title', 'message', 'detail', 'reason'].some((key) => typeof value[key] === 'string')
  return typeof code === 'number' && code >= 400 && code < 600 && (explained || explains(value['body']))
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Whether the body of an answer says something. */
function explains(body: unknown): boolean {
  if (typeof body === 'string') return body.trim() !== ''
  return isObject(body) && ['message', 'error', 'errors', 'detail', 'title', 'reason'].some((key) => key in body)
}

function isBad(value: unknown): boolean {
  return typeof value === 'string' && /^(?:error|failed|failure)$/i.test(value)
}

/** Whether a field for errors says one: in words, or in an object or list that is not empty. */
function says(value: unknown): boolean {
  if (typeof value === 'string')
    return /\S\s+\S|error|exception|_/i.test(value) && !/^\(?(?:none|no errors?)\)?$/i.test(value)
  if (Array.isArray(value)) return value.some((entry) => says(entry) || isObject(entry))
  return (
    isObject(value) &&
    ['message', 'code', 'type', 'reason', 'status', 'detail', 'details', 'msg'].some((key) => key in value)
  )
}

/** Content blocks whose first text begins with an error. */
function startsBadly(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  const [first] = content
  if (!isObject(first) || first['type'] !== 'text' || typeof first['text'] !== 'string') return false
  return /^(?:Error|Failed to|Could not|Unable to|Cannot|Traceback \(most)\b[ :(]/.test(first['text'])
}

const mostBlocks = 4

/** Whether what a server returned is a document that says it failed: many servers leave the flag of their protocol as it is. */
function holdsFlagged({ content, structuredContent }: Fields): boolean {
  const texts = Array.isArray(content)
    ? content.slice(0, mostBlocks).map((block) => (isObject(block) ? block['text'] : undefined))
    : []
  const result = isObject(structuredContent) ? (structuredContent['result'] ?? structuredContent) : undefined
  return [...texts, result].some((said) => {
    const document = typeof said === 'string' ? parsed(said) : said
    return isObject(document) && isFlagged(document)
  })
}

function parsed(text: string): unknown {
  return /^\s{0,20}\{/.test(text) ? jsonValue(text) : undefined
}

/** A field that says that, or why, something has failed. */
const decisive =
  /"(?:isError|is_error)":\s?true|"(?:success|ok)":\s?false|"(?:errors?|error_message|exception|stderr)":\s?(?!null|""|\[\]|\{\}|false|0\b)\S|"(?:status|state|conclusion|level|severity)":\s?"(?:error|failed|failure|fatal)"|"(?:failures|failed)":\s?\[(?!\])|"(?:statusCode|status_code)":\s?[45]\d\d\b/i

/** The status of an answer that was a refusal; what was answered stands beside it. */
const refusedWith = /"(?:statusCode|status_code)":\s?[45]\d\d\b/
const listing = /"(?:failures|failed)":\s?\[(?!\])/
const answered = /"body":\s?(?!null|""|\[\]|\{\})\S/

const filled = String.raw`":\s?(?!null|""|\[\]|\{\}|\{$|\[$)\S`
/** A field that says why, where it stands in a failure. */
const explaining = new RegExp(`"(?:message|msg|detail|title|text|code|reason)${filled}`)
/** A field that says where, or of what kind. */
const placing = new RegExp(`"(?:type|status|statusCode|instance|path|line|request_id|requestId)${filled}`)

/** Most of the fields of a failed document that are shown at any price. */
const mostFields = 8
/** So many lines behind a decisive one explain it. */
const reach = 8
/** Of a long line, so many characters at either end are looked at. */
const lookedChars = 600

/**
 * The lines of a document that has failed which hold what it says of that, the most telling first. What decides goes before what explains it, and both before
 * fields of other data, wherever they stand.
 */
export function tellingLines(lines: readonly string[]): readonly number[] {
  const ends = lines.map(endsOf)
  const listed = linesOfFailureLists(lines)
  const refusals = new Set(lines.filter((_, at) => refusedWith.test(ends[at] ?? '')).map(indentOf))
  const weighed: { at: number; weight: number }[] = []
  let last = -Infinity
  for (const [at, line] of lines.entries()) {
    const end = ends[at] ?? ''
    const decides = decisive.test(end) || (refusals.has(indentOf(line)) && answered.test(end))
    if (decides) last = at
    // What opens an error says nothing by itself.
    const own = decides ? (/[[{]$/.test(line) ? 0 : 4) : weightOf(end, at - last <= reach)
    const weight = Math.max(own, listed.has(at) ? 3 : 0)
    if (weight > 0) weighed.push({ at, weight })
  }
  // Where it is known what has failed, fields of other data say nothing of it.
  const least = refusals.size > 0 || ends.some((end) => listing.test(end)) ? 2 : 1
  const telling = weighed.filter(({ weight }) => weight >= least).toSorted((a, b) => b.weight - a.weight || a.at - b.at)
  return telling.slice(0, mostFields).map(({ at }) => at)
}

function weightOf(line: string, isOfFailure: boolean): number {
  if (explaining.test(line)) return isOfFailure ? 3 : 1
  return placing.test(line) ? (isOfFailure ? 2 : 1) : 0
}

/** A row of data that says of itself that it has failed: by a flag, or by an error in words. */
const failedRow =
  /"(?:success|ok)":\s?false|"(?:errors?|error_message|exception)":\s?(?:"(?=(?:[^"\\]|\\.)*\p{L}{3})(?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*"|\{"|\[\s?["{])|"(?:status|state|conclusion|level|severity|outcome)":\s?"(?:error|failed|failure|fatal)"/iu

/** Rows above this number are no exceptions: they are what was asked for. */
const mostRows = 8

/** The lines of a list by which a few of its rows have failed; none where many have. */
export function failedRows(lines: readonly string[]): readonly number[] {
  const found = lines.flatMap((line, at) => (failedRow.test(endsOf(line)) ? [at] : []))
  return found.length <= mostRows && found.length * 2 < lines.length ? found : []
}

function endsOf(line: string): string {
  return line.length <= 2 * lookedChars ? line : `${line.slice(0, lookedChars)}\n${line.slice(-lookedChars)}`
}
