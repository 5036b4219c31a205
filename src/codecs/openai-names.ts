import type { NameRule } from './crossing-names.ts'

/** What OpenAI's dialects ask of the names of tools. */
export const openaiToolNames: NameRule = { refused: /[^a-zA-Z0-9_-]/g, mostChars: 64 }

/** Characters that the id of a call has in none of them. */
export const refusedInIds = /[^\x21-\x7e]/g
