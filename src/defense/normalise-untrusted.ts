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
  let normal = text
  const undo = (encoding: string, step: (text: string) => string): boolean => {
    const next = step(normal)
    const isOther = next !== normal
    if (isOther) encodings.add(encoding)
    normal = next
    return isOther
  }
  undo('invisible', visible)
  // What an escape stands for may be invisible, or an escape again.
  if (undo('escapes', decodeEscapes) && undo('escapes', decodeEscapes)) undo('escapes', decodeEscapes)
  if (encodings.has('escapes')) undo('invisible', visible)
  undo('look-alikes', latinLookalikes)
  undo('spaced', joinSpaced)
  for (const { encoding } of decoded) encodings.add(encoding)
  return { text: normal, decoded, encodings: [...encodings] }
}

const ascii = /^[\0-\x7F]*$/

/** Characters that compatibility normalisation makes plain letters of, or that it joins to them. */
const styled =
  /[\u0300-\u036F\u02B0-\u02FF\u1D00-\u1DBF\u2070-\u209F\u2100-\u214F\u2460-\u24FF\uFB00-\uFB06\uFF00-\uFFEF\u{1D400}-\u{1D7FF}\u{1F100}-\u{1F1FF}]/u

/** Without what nobody sees, and wide, narrow and mathematical letters as plain ones. */
function visible(text: string): string {
  if (ascii.test(text)) return text
  const seen = withoutInvisible(text)
  return styled.test(seen) ? seen.normalize('NFKC') : seen
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
