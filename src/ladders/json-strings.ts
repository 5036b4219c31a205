import { stringLiteralEnd } from '../core/index.ts'

/** Where a string literal stands in a JSON text, its quotes included. */
export interface LiteralSpan {
  readonly start: number
  readonly end: number
}

/** A long string inside a JSON text, and what it says. */
export interface JsonString extends LiteralSpan {
  readonly value: string
}

/** Every string literal of at least `minLength` characters in a JSON text, keys among them, in order. */
export function literalSpans(json: string, minLength: number): readonly LiteralSpan[] {
  const spans: LiteralSpan[] = []
  for (let start = json.indexOf('"'); start !== -1;) {
    const end = stringLiteralEnd(json, start)
    if (end === -1) break
    if (end - start >= minLength) spans.push({ start, end })
    start = json.indexOf('"', end)
  }
  return spans
}

/**
 * The string values of at least `minLength` characters in a JSON text, in order. Keys are left out. Texts that are not
 * JSON give none.
 */
export function longStrings(json: string, minLength: number): readonly JsonString[] {
  if (json.length < minLength) return []
  const found: JsonString[] = []
  for (const { start, end } of literalSpans(json, minLength)) {
    if (/^\s*:/.test(json.slice(end, end + 20))) continue
    const value = decoded(json.slice(start, end))
    if (value === undefined) return []
    found.push({ start, end, value })
  }
  return found
}

function decoded(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
