/** A long string inside a JSON text: where its literal stands and what it says. */
export interface JsonString {
  readonly start: number
  readonly end: number
  readonly value: string
}

const literalForm = /"(?:[^"\\]|\\.)*"/gs

/**
 * The string values of at least `minLength` characters in a JSON text, in order. Keys are left out. Texts that are not
 * JSON give none.
 */
export function longStrings(json: string, minLength: number): readonly JsonString[] {
  if (json.length < minLength) return []
  const found: JsonString[] = []
  for (const match of json.matchAll(literalForm)) {
    const literal = match[0]
    const end = match.index + literal.length
    if (literal.length < minLength || /^\s*:/.test(json.slice(end, end + 20))) continue
    const value = decoded(literal)
    if (value === undefined) return []
    found.push({ start: match.index, end, value })
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

/** The JSON text with some string values replaced; everything else is copied as it stands. */
export function withStrings(json: string, strings: readonly JsonString[], values: readonly string[]): string {
  const parts: string[] = []
  let next = 0
  strings.forEach(({ start, end, value }, index) => {
    const replacement = values[index] ?? value
    if (replacement === value) return
    parts.push(json.slice(next, start), JSON.stringify(replacement))
    next = end
  })
  parts.push(json.slice(next))
  return parts.join('')
}
