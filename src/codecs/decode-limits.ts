import type { Item } from '../core/index.ts'
import { beyondLimits } from '../core/index.ts'

/** What a body may hold to be read: many times what the largest windows have room for, and little enough to be read at once. */
export const decodeLimits = { values: 300_000, messages: 10_000, tools: 2000, lines: 500_000 } as const

export function requireFew(field: string, count: number, most: number): void {
  if (count > most) throw beyondLimits(field, field, most)
}

/** A line of text takes two characters of a body at least, so that most bodies need not be looked at. */
export function requireFewLines(bodyChars: number, items: readonly Item[]): void {
  const { lines: most } = decodeLimits
  if (bodyChars <= 2 * most) return
  let left = most
  for (const { text } of items) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      left -= 1
      if (left < 0) throw beyondLimits('body', 'lines of text', most)
    }
  }
}
