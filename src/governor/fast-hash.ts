import type { Hasher } from '../core/index.ts'

/**
 * A digest of 64 bits of the whole text, in sixteen hexadecimal digits: tells texts apart quickly, and is no proof against who makes two texts
 * collide. Where strangers write the texts, or a digest is published, use SHA-256.
 */
export const fastHash: Hasher = (text) => {
  let high = 0xdeadbeef ^ text.length
  let low = 0x41c6ce57 ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
  }
  const mixedHigh = mixed(high) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  const mixedLow = mixed(low) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return hexadecimal(mixedHigh) + hexadecimal(mixedLow)
}

function mixed(word: number): number {
  return Math.imul(word ^ (word >>> 16), 0x85ebca6b)
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
