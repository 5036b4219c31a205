import type { Hash } from 'node:crypto'
import { commonPrefixLength } from '../core/index.ts'
import type { TextSource } from '../core/index.ts'
import { builtinModule, sha256 } from '../host/index.ts'

/**
 * SHA-256 of texts that mostly begin as the one before did, as lower-case hexadecimal: what a text has in common with the
 * two before it is not hashed again, where there is a Node to do so.
 */
export function growingHash(): (text: TextSource) => string {
  const createHash = builtinModule('node:crypto')?.createHash
  if (createHash === undefined) return (text) => sha256(text.toString())
  let last: TextSource = ''
  /** The first `length` characters of `last`; most conversations stay too short for it, and an object of the host's is dear to keep. */
  let begun: { readonly length: number; readonly hash: Hash } | undefined
  return (text) => {
    if (text.length < leastChars) return sha256(text.toString())
    const shared = wholeCharacters(text, commonPrefixLength(last, text))
    if (begun === undefined || shared < begun.length) begun = { length: 0, hash: createHash('sha256') }
    if (shared >= begun.length + leastChars) {
      const further = begun.hash.copy().update(text.slice(begun.length, shared))
      begun = { length: shared, hash: further }
    }
    last = text
    return begun.hash.copy().update(text.slice(begun.length)).digest('hex')
  }
}

/** Less is hashed sooner than compared. */
const leastChars = 16_384

/** A place in a text at which it can be cut: not within a character that takes two code units. */
function wholeCharacters(text: TextSource, length: number): number {
  const code = text.charCodeAt(length - 1)
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length
}
