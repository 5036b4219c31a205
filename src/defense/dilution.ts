import type { Evidence } from './evidence.ts'

/** Shorter texts dilute nothing. */
const leastChars = 1200

/** Turns of a made-up conversation from which on it is there to get a model used to something. */
const manyTurns = 16

const turns = /^\s{0,3}(?:Human|User|Assistant|AI|Bot|Q|A): /gm

/** Sentences of orders from which on they are there for their number. */
const manyOrders = 12

/** What is less clear than this is no order that something could be diluted for. */
const leastWeight = 0.3

/** Share of different words below which a text says little for its length. */
const fewWords = 0.12

/** Words that are looked at for it. */
const sampledWords = 1500

/**
 * What speaks for a text that is long so that what was said before is forgotten: a made-up conversation of many turns, orders
 * over and over, much filling around an order. Where nothing is ordered nothing is looked for but the first.
 */
export function readDilution(text: string, orders: readonly Evidence[]): readonly Evidence[] {
  if (text.length < leastChars) return []
  const clear = orders.filter(({ weight }) => weight >= leastWeight)
  const weight = Math.max(turnsWeight(text), clear.length === 0 ? 0 : ordersWeight(text, clear))
  return weight === 0 ? [] : [{ reason: 'dilution', weight, at: clear.at(-1)?.at ?? 0 }]
}

function turnsWeight(text: string): number {
  if (!text.includes(': ')) return 0
  let count = 0
  for (const _ of text.matchAll(turns)) count += 1
  return count < manyTurns || !isRepetitive(text) ? 0 : 0.5
}

function ordersWeight(text: string, orders: readonly Evidence[]): number {
  if (!isRepetitive(text)) return 0
  return orders.length >= manyOrders ? 0.5 : 0.25
}

/** Much white space or the same words over and over. */
function isRepetitive(text: string): boolean {
  const seen = new Set<string>()
  let words = 0
  let letters = 0
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
    words += 1
    letters += word.length
    seen.add(/^\d/.test(word) ? '0' : word)
    if (words >= sampledWords) return seen.size < fewWords * words
  }
  return letters < 0.2 * text.length || (words > 100 && seen.size < fewWords * 2 * words)
}
