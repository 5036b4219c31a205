import { rehydrateToolName } from '../../../core/index.ts'
import { passageRanker } from '../../../knowledge/index.ts'
import type { Original, OriginalSearch } from './original.ts'

type About = Omit<Original, 'handle' | 'text'>

/** Bytes of pictures are no words, and an answer of our own tool stands for the original that it brought back. */
export function isSearched({ kind, toolName }: About): boolean {
  return kind !== undefined && kind !== 'media' && toolName !== rehydrateToolName
}

/** The words that an original is found by. */
export function searchedText({ text, toolName }: Pick<Original, 'text' | 'toolName'>): string {
  return toolName === undefined ? text : `${toolName}\n${text}`
}

/** Those that say some of the words, the best first. */
export function originalsAbout(
  originals: readonly Original[],
  words: string,
  { maxChars }: OriginalSearch,
): readonly Original[] {
  const searched = originals.filter(isSearched)
  const scores = passageRanker(searched.map((original) => ({ text: searchedText(original) })))(words)
  const best = Array.from(searched.entries())
    .map(([at, original]) => ({ original, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  return withinChars(
    best.map(({ original }) => original),
    maxChars,
  )
}

/** As many as there is room for, in their order. The first is given whatever it takes. */
export function withinChars(originals: Iterable<Original>, maxChars: number): readonly Original[] {
  const fitting: Original[] = []
  const texts = new Set<string>()
  let chars = 0
  for (const original of originals) {
    const { text } = original
    if (texts.has(text) || (fitting.length > 0 && chars + text.length > maxChars)) continue
    fitting.push(original)
    texts.add(text)
    chars += text.length
  }
  return fitting
}
