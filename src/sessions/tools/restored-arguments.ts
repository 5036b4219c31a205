/** Arguments of a call, JSON as a rule, with each of their strings restored. Everything else stays as the model wrote it. */
export function restoredArguments(json: string, restore: (text: string) => string): string {
  if (!isJson(json)) return restore(json)
  return json.replaceAll(stringLiteral, (literal) => {
    const said: unknown = JSON.parse(literal)
    const restored = typeof said === 'string' ? restore(said) : said
    return restored === said ? literal : JSON.stringify(restored)
  })
}

const stringLiteral = /"(?:[^"\\]|\\.)*"/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
