import type { BoundaryRequest, Hasher } from '../core/index.ts'

/** Where a section begins or ends, in capital letters, digits and single signs. */
export interface SectionMark {
  readonly begin: string
  readonly end: string
}

export function sectionMark(name: string, boundary: string): SectionMark {
  return { begin: `<<<SECTION:${name}:${boundary}>>>\n`, end: `<<<END_SECTION:${name}:${boundary}>>>\n` }
}

/** Enough that nobody guesses it in the life of a session. */
const boundaryChars = 24

/** So many texts with a boundary in them are no accident. */
const mostTries = 8

export interface BoundaryInput extends BoundaryRequest {
  readonly epoch: number
  /** SHA-256, as lower-case hexadecimal. */
  readonly hash: Hasher
  /** Whether a text of the pack has it. */
  occurs(boundary: string): boolean
}

/**
 * The boundary of a session's epoch: a keyed hash of session and epoch, cut to 96 bits. Where a text of the pack has it, which only
 * a text can that has seen it, another is derived. Undefined where texts have them all.
 */
export function boundaryOf({ secret, session, epoch, hash, occurs }: BoundaryInput): string | undefined {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const digest = hmac(hash, secret, JSON.stringify([session, epoch, tries]))
    const boundary = `boundary_${digest.slice(0, boundaryChars)}`
    if (!occurs(boundary)) return boundary
  }
  return undefined
}

/**
 * HMAC over a hash of texts: the key is hashed to a block of 64 ASCII characters, and the inner digest goes into the outer hash in
 * hexadecimal, since a hash of texts takes no bytes.
 */
function hmac(hash: Hasher, secret: string, message: string): string {
  const key = hash(secret)
  return hash(masked(key, 0x5c) + hash(masked(key, 0x36) + message))
}

function masked(key: string, mask: number): string {
  return Array.from(key, (one) => String.fromCharCode(one.charCodeAt(0) ^ mask)).join('')
}
