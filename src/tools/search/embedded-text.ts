import { wordsOfName } from './tool-fields.ts'

/** What an embedder reads of a text: small encoders read no more, and some servers refuse what is longer. */
const mostChars = 1000

/** The text of a tool that its vector is made of. Nothing of its schema, and nothing that users have said. */
export function embeddedTool({ name, description }: { readonly name: string; readonly description: string }): string {
  return headOf(`${wordsOfName(name)}. ${description}`)
}

/** The text of a query that its vector is made of; undefined where it says nothing. */
export function embeddedQuery(query: string): string | undefined {
  return /[\p{L}\p{N}]/u.test(query) ? headOf(query) : undefined
}

function headOf(text: string): string {
  return text.slice(0, mostChars).toWellFormed().trim()
}
