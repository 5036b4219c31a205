import { base64Texts, selectorTexts, tagTexts } from './decoded-text.ts'
import type { DecodedText } from './decoded-text.ts'
import { withoutInvisible } from './invisible.ts'
import { decodeEscapes } from './escapes.ts'
import { joinSpaced, plainLeet, reversedWords, rotated } from './disguises.ts'
import { latinLookalikes } from './lookalikes.ts'

/** A text as those see it who look for orders in it. It is never shown to a model. */
export interface NormalisedText {
  /** Without what nobody sees, with escapes and entities as the characters that they stand for, look-alikes as letters. */
  readonly text: string
  /** What stands in it in an encoding of its own. */
  readonly decoded: readonly DecodedText[]
  /** The encodings that were undone, those of `decoded` included. */
  readonly encodings: readonly string[]
}

/**
 * Undoes the encodings by which orders are hidden from filters and not from models. Takes time in proportion to the text, and
 * next to none for plain text.
 */
export function normaliseUntrusted(text: string): NormalisedText {
  const encodings = new Set<string>()
  const decoded = decodedTexts(text)
  const steps: readonly (readonly [encoding: string, step: (text: string) => string])[] = [
    ['invisible', visible],
    ['escapes', decodeEscapes],
    // What an escape stands for may be invisible, or an escape again.
    ['invisible', visible],
    ['escapes', decodeEscapes],
    ['look-alikes', latinLookalikes],
    ['spaced', joinSpaced],
  ]
  let normal = text
  for (const [encoding, step] of steps) {
    const next = step(normal)
    if (next !== normal) encodings.add(encoding)
    normal = next
  }
  for (const { encoding } of decoded) encodings.add(encoding)
  return { text: normal, decoded, encodings: [...encodings] }
}

const ascii = /^[\0-\x7F]*$/

/** Without what nobody sees, and wide, narrow and mathematical letters as plain ones. */
function visible(text: string): string {
  return ascii.test(text) ? text : withoutInvisible(text).normalize('NFKC')
}

const decoders: readonly (readonly [encoding: string, decode: (text: string) => readonly string[]])[] = [
  ['base64', base64Texts],
  ['tags', tagTexts],
  ['selectors', selectorTexts],
  ['rot13', rotated],
  ['reversed', reversedWords],
  ['leet', plainLeet],
]

function decodedTexts(text: string): readonly DecodedText[] {
  return decoders.flatMap(([encoding, decode]) => decode(text).map((one) => ({ encoding, text: one })))
}
