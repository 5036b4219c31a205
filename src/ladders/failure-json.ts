import { jsonValue } from '../core/index.ts'

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
  if (['status', 'state', 'conclusion', 'type'].some((key) => isBad(value[key]))) return true
  const code = value['status'] ?? value['statusCode'] ?? value['status_code']
  const explained = ['title', 'message', 'detail', 'reason'].some((key) => typeof value[key] === 'string')
  return typeof code === 'number' && code >= 400 && code < 600 && explained
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

const telling =
  /"(?:isError|is_error|errors?|error_message|exception|message|msg|detail|title|text|code|type|reason|status|statusCode|instance|path|line|success|ok|request_id|requestId|stderr)":\s?(?!null|""|\[\]|\{\}|\{$|\[$)\S/

/** Most of the fields of a failed document that are shown at any price. */
const mostFields = 8

/** The lines of a document that has failed which hold what it says of that, beginning at the first field for errors. */
export function tellingLines(lines: readonly string[]): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < lines.length && found.length < mostFields; at++) {
    if (telling.test((lines[at] ?? '').slice(0, 600))) found.push(at)
  }
  const flag = lines.findIndex((line) => /"(?:isError|is_error)":\s?true/.test(line.slice(-600)))
  return flag === -1 || found.includes(flag) ? found : [...found, flag]
}
