import { passageRanker } from '../../knowledge/index.ts'
import { joinLines, originalLines } from '../../ladders/index.ts'
import type { SplitLines } from '../../ladders/index.ts'
import type { Original } from '../../stores/index.ts'

export interface FoundAbout {
  readonly text: string
  /** Those of which something is shown, the best first. */
  readonly originals: readonly Original[]
}

/** Lines of one passage, and the characters at which it ends before that. */
const passageLines = 24
const passageChars = 1_600
/** What is shown at most, and how near to the best it must be. */
const mostPassages = 5
const mostChars = 8_000
const leastScore = 0.4
/** Characters of originals that are ranked passage by passage: a question must not hold up its thread. */
export const searchedChars = 1_000_000

/**
 * The passages of originals that have most to do with some words, each with the handle and the lines by which the rest is
 * asked for. Undefined where nothing has to do with them.
 */
export function findAbout(about: string, kept: readonly Original[], maxChars: number): FoundAbout | undefined {
  const passages = passagesOf(kept)
  const scores = passageRanker(passages.map(({ text, original }) => ({ text, about: original.toolName })))(about)
  const ranked = Array.from(passages.keys())
    .filter((at) => (scores[at] ?? 0) >= leastScore)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const room = Math.min(mostChars, maxChars)
  const shown: string[] = []
  const originals = new Set<Original>()
  let size = 0
  for (const at of ranked.slice(0, mostPassages)) {
    const passage = passages[at]
    if (passage === undefined) continue
    const text = `${headOf(passage)}\n${passage.text}`
    if (shown.length > 0 && size + text.length > room) break
    shown.push(text.length > room ? text.slice(0, room).toWellFormed() : text)
    size += text.length
    originals.add(passage.original)
  }
  return shown.length === 0 ? undefined : { text: shown.join('\n'), originals: [...originals] }
}

interface Found {
  readonly original: Original
  readonly first: number
  readonly last: number
  readonly lines: number
  readonly text: string
}

function passagesOf(originals: readonly Original[]): readonly Found[] {
  return originals.flatMap((original) => {
    const split = originalLines(original)
    const found: Found[] = []
    for (let first = 0; first < split.lines.length;) {
      const last = endOf(split, first)
      found.push({ original, first, last, lines: split.lines.length, text: joinLines(split, first, last) })
      first = last + 1
    }
    return found
  })
}

function endOf({ lines }: SplitLines, first: number): number {
  let last = first
  let chars = lines[first]?.length ?? 0
  while (last + 1 < lines.length && last + 1 - first < passageLines) {
    chars += (lines[last + 1]?.length ?? 0) + 1
    if (chars > passageChars) break
    last += 1
  }
  return last
}

function headOf({ original: { handle, toolName, kind }, first, last, lines }: Found): string {
  const what = toolName === undefined ? '' : kind === 'tool-call' ? `, call of ${toolName}` : `, ${toolName}`
  return `[${handle}${what}: lines ${first + 1}-${last + 1} of ${lines}]`
}
