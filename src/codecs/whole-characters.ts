/** Halves of characters in JSON: escaped, or as they are. */
const escaped = /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}/g

/** The same JSON with U+FFFD in the place of halves of characters, which no provider takes. */
export function wholeCharacters(json: string): string {
  return json.replaceAll(escaped, (found) => (found.length === 6 ? '\\ufffd' : found)).toWellFormed()
}
