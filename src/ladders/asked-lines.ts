import type { SplitLines } from './text-lines.ts'

/** Words that stand in more places tell no line apart. */
const mostHits = 100
/** A request of more words is about everything. */
const mostWords = 40

/**
 * The lines of a text that have one of the words, however it goes on: of each word that few lines have, in the order of the words. A text is
 * searched once for each word, and no line is looked at alone.
 */
export function askedLines(text: string, { lines, joined }: SplitLines, asked: ReadonlySet<string>): readonly number[] {
  if (asked.size > mostWords) return []
  const lower = text.toLowerCase()
  // Where small letters are longer than capitals, nothing stands where it stood.
  if (lower.length !== text.length) return []
  const places = Array.from(asked, (word) => placesOf(lower, word)).flat()
  if (places.length === 0) return []
  const starts = startsOf(lines, joined)
  return [...new Set(places.map((place) => lineAt(starts, place)))]
}

function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  if (word.length === 0) return places
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) continue
    if (places.length === mostHits) return []
    places.push(at)
  }
  return places
}

function startsOf(lines: readonly string[], joined: Uint8Array): Float64Array {
  const starts = new Float64Array(lines.length)
  let start = 0
  for (let at = 0; at < starts.length; at += 1) {
    starts[at] = start
    start += (lines[at]?.length ?? 0) + (joined[at] === 1 ? 0 : 1)
  }
  return starts
}

/** The last line that starts at a place or before it. */
function lineAt(starts: Float64Array, place: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
