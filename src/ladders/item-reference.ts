import { writeMarker } from './marker-grammar.ts'

export interface ReferenceText {
  /** By which the reader knows the other item: its source, or its id. */
  readonly name: string
  /** What the other item says; its first words are the gist by which it is found. */
  readonly text: string
  /** Absent where none can be followed. */
  readonly handle?: string
}

const gistWords = 8
const longestGist = 72

/** `[REF: id - first words of what it says]`, and the call that brings back the item's own words. */
export function writeReference({ name, text, handle }: ReferenceText): string {
  const plain = plainOf(name, /[^\p{L}\p{N}_.:/#-]+/gu, '_').slice(0, 80)
  const words = plainOf(text.slice(0, 400), /[^\p{L}\p{N} ,.'-]+/gu, ' ')
    .trim()
    .split(/ +/)
    .slice(0, gistWords)
  const gist = words.join(' ').slice(0, longestGist).trim().toWellFormed()
  const values = { name: plain === '' ? 'item' : plain, gist: gist === '' ? 'the same' : gist }
  if (handle !== undefined) return writeMarker('refer', { ...values, handle })
  return `[REF: ${values.name} - ${values.gist}]`
}

/** Whether a text is what such a reference begins with. */
export function isItemReference(text: string): boolean {
  return text.startsWith('[REF: ')
}

function plainOf(text: string, other: RegExp, by: string): string {
  return text.replace(other, by).toWellFormed()
}
