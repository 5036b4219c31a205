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
  const readings = decoders.flatMap((decode) => decode(shown) ?? [])
  const values = valuesOf(plain)
  const total = sum(values)
  if (readings.includes(plain)) return { isExact: true, values: total, lost: 0 }
  return {
    isExact: false,
    values: total,
    lost: Math.min(total, ...readings.map((reading) => lostFrom(values, reading))),
  }
}

/** One for each form in which the ladders show structured data; a reader tells them apart by how they begin. */
const decoders: readonly ((shown: string) => string | undefined)[] = [
  decodeColumns,
  minifyJson,
  decodeCsv,
  decodeMarkdown,
]

function lostFrom(values: ReadonlyMap<string, number>, text: string): number {
  const left = valuesOf(text)
  return Array.from(values).reduce((lost, [value, count]) => lost + Math.max(0, count - (left.get(value) ?? 0)), 0)
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
