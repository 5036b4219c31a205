import type { JsonValue } from '../../core/index.ts'
import { decodeColumns, decodeCsv, decodeMarkdown, minifyJson } from '../../ladders/index.ts'

/** What became of the values of a JSON text that is shown in another form. */
export interface RoundTrip {
  /** Whether the form decodes to the very text, but for white space: numbers digit by digit, members in their order. */
  readonly isExact: boolean
  /** Strings, numbers and other values that are no list and no object. */
  readonly values: number
  /** Those of them that the decoded form lacks. */
  readonly lost: number
}

/** Decodes a form and compares; undefined where the text is no JSON document. */
export function structuredRoundTrip(text: string, shown: string): RoundTrip | undefined {
  const plain = text.trim().startsWith('{') || text.trim().startsWith('[') ? minifyJson(text) : undefined
  if (plain === undefined) return undefined
  const decoded = decodedAs(plain, shown)
  const values = valuesOf(plain)
  const total = sum(values)
  if (decoded === plain) return { isExact: true, values: total, lost: 0 }
  const left = decoded === undefined ? new Map<string, number>() : valuesOf(decoded)
  let lost = 0
  for (const [value, count] of values) lost += Math.max(0, count - (left.get(value) ?? 0))
  return { isExact: false, values: total, lost }
}

/** What a form decodes to: of the tables, which hardly say what they are, only where it is the very text. */
function decodedAs(plain: string, shown: string): string | undefined {
  const tables = [decodeCsv, decodeMarkdown].map((decode) => decode(shown))
  return tables.find((decoded) => decoded === plain) ?? decodeColumns(shown) ?? minifyJson(shown)
}

function sum(counts: ReadonlyMap<string, number>): number {
  return Array.from(counts.values()).reduce((all, count) => all + count, 0)
}

/** How often each value stands in a document. */
function valuesOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const open: JsonValue[] = [JSON.parse(text) as JsonValue]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const one of value) open.push(one)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) open.push(one)
    else counts.set(JSON.stringify(value), (counts.get(JSON.stringify(value)) ?? 0) + 1)
  }
  return counts
}
