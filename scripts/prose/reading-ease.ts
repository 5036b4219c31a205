import { proseOfMarkdown, sentencesOf } from './texts.ts'

/** Counts of a page's paragraphs and list items; tables, code blocks and headings are left out, and inline code is one word. */
export interface ReadingCounts {
  readonly words: number
  readonly sentences: number
  /** Sentences of more than 25 words. */
  readonly long: number
  readonly syllables: number
}

export interface ReadingFigures {
  readonly words: number
  readonly meanSentence: number
  readonly longShare: number
  /** Flesch's reading ease for English: 60 to 70 is plain, below 30 is hard. */
  readonly ease: number
}

const wordPattern = /\uFFFC+|[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu
const longerThan = 25

/** An estimate: groups of vowels, less a silent `e` at the end, and one for anything else. */
export function syllablesOf(word: string): number {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '')
  const groups = letters.match(/[aeiouy]+/g)?.length ?? 0
  const isSilent = groups > 1 && /[^aeiouyl]e$/.test(letters)
  return Math.max(1, groups - (isSilent ? 1 : 0))
}

export function readingCounts(page: string): ReadingCounts {
  const prose = proseOfMarkdown(page.replace(/^\|.*$/gm, ''))
  const sentences = prose
    .flatMap(sentencesOf)
    .map(({ plain }) => plain.match(wordPattern) ?? [])
    .filter((words) => words.length > 0)
  const words = sentences.flat()
  return {
    words: words.length,
    sentences: sentences.length,
    long: sentences.filter((each) => each.length > longerThan).length,
    syllables: words.reduce((sum, word) => sum + syllablesOf(word), 0),
  }
}

export function totalCounts(pages: readonly ReadingCounts[]): ReadingCounts {
  const sum = (count: (page: ReadingCounts) => number): number => pages.reduce((all, page) => all + count(page), 0)
  return {
    words: sum(({ words }) => words),
    sentences: sum(({ sentences }) => sentences),
    long: sum(({ long }) => long),
    syllables: sum(({ syllables }) => syllables),
  }
}

export function readingFigures({ words, sentences, long, syllables }: ReadingCounts): ReadingFigures {
  if (sentences === 0) return { words, meanSentence: 0, longShare: 0, ease: 0 }
  const meanSentence = words / sentences
  const ease = 206.835 - 1.015 * meanSentence - 84.6 * (syllables / words)
  return { words, meanSentence, longShare: long / sentences, ease }
}
