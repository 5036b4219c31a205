import { hash } from 'node:crypto'
import type { CacheBlock } from '../cache/rules.ts'
import { shareOut, slicesOf } from './pieces.ts'

export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** Slices of a text, for providers that match prefixes inside a message; their tokens add up to the count of the whole. */
export function textBlocks(text: string, tokens: number): readonly CacheBlock[] {
  const slices = text === '' ? [''] : slicesOf(text, 256)
  const shares = shareOut(
    tokens,
    slices.map((slice) => slice.length),
  )
  return slices.map((slice, index) => ({ hash: digest(slice), tokens: shares[index] ?? 0 }))
}
