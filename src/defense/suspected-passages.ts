import type { InjectionDetector } from '../core/index.ts'

/** Untrusted texts, taken apart by whether they are suspected to hold orders. */
export interface SuspectedPassages {
  readonly suspected: readonly string[]
  readonly rest: readonly string[]
}

/** What is suspected of texts, in passages of some hundred characters; of a text that is suspected only as a whole, all of it. */
export function suspectedPassages(
  texts: readonly string[],
  detector: InjectionDetector,
  threshold: number,
): SuspectedPassages {
  const isSuspected = (text: string): boolean => {
    const { score } = detector.score(text, { trust: 'untrusted' })
    return score > 0 && score >= threshold
  }
  const suspected: string[] = []
  const rest: string[] = []
  for (const text of texts) {
    if (!isSuspected(text)) {
      rest.push(text)
      continue
    }
    const ranges = merged(windows(text).filter(({ start, end }) => isSuspected(text.slice(start, end))))
    if (ranges.length === 0) suspected.push(text)
    let from = 0
    for (const { start, end } of ranges) {
      rest.push(text.slice(from, start))
      suspected.push(text.slice(start, end))
      from = end
    }
    if (ranges.length > 0) rest.push(text.slice(from))
  }
  return { suspected, rest }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** So many characters are looked at together; each half stands in two windows, so that no order is cut in both. */
const windowChars = 300

function windows(text: string): readonly Range[] {
  const parts: Range[] = []
  for (let start = 0; start === 0 || start + windowChars / 2 < text.length; start += windowChars / 2)
    parts.push({ start, end: Math.min(text.length, start + windowChars) })
  return parts
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = []
  for (const range of ranges) {
    const last = all.at(-1)
    if (last !== undefined && range.start < last.end) all[all.length - 1] = { start: last.start, end: range.end }
    else all.push(range)
  }
  return all
}
