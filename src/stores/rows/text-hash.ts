import { sha256 } from '../../host/index.ts'

/** Marks the hash of a text that a column does not carry: lone surrogates are no UTF-8, and Node 22 reads up to the first NUL. Such a text is stored as JSON. */
export const jsonMark = 'json:'

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** What a text is referred to by in SQLite and in files. */
export function textHash(text: string): string {
  return isPlainText(text) ? sha256(text, 'base64url') : jsonMark + sha256(JSON.stringify(text), 'base64url')
}
