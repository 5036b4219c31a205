import { splitLines } from './text-lines.ts'
import type { SplitLines } from './text-lines.ts'

/**
 * The lines of a call's JSON, by the same numbers, as what its strings say: without the escapes that only JSON needs. What
 * stands outside of strings stays as it is.
 */
export function callLines(json: string): SplitLines {
  const { lines, joined } = splitLines(json)
  let inside = false
  const said = lines.map((line) => {
    const read = readPiece(line, inside)
    inside = read.inside
    return read.text
  })
  return { lines: said, joined }
}

interface ReadPiece {
  readonly text: string
  /** Whether its end stands in a string. */
  readonly inside: boolean
}

/** What a piece of JSON says that begins inside a string or not. No piece ends within an escape. */
function readPiece(piece: string, startsInside: boolean): ReadPiece {
  const parts: string[] = []
  let inside = startsInside
  for (let start = 0; start < piece.length;) {
    const quote = nextQuote(piece, start, inside)
    const text = piece.slice(start, quote)
    parts.push(inside ? unescaped(text) : text, piece.slice(quote, quote + 1))
    if (quote < piece.length) inside = !inside
    start = quote + 1
  }
  return { text: parts.join(''), inside }
}

/** The quote that ends the string or begins the next one; the end of the piece where there is none. */
function nextQuote(piece: string, from: number, inside: boolean): number {
  for (let at = from; at < piece.length; at++) {
    if (piece[at] === '"') return at
    if (inside && piece[at] === '\\') at++
  }
  return piece.length
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
