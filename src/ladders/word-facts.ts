import { demands, functionWords, turningWords } from './word-classes.ts'

/** What a word is, apart from where it stands. */
export interface WordFacts {
  /** In lower case, without punctuation around it and apostrophes in it. */
  readonly bare: string
  /** What a word of grammar is worth; undefined for others. */
  readonly grammar: number | undefined
  /** Whether it holds a figure, a sign of code, or capitals within: a figure, an identifier, a path, an abbreviation. */
  readonly tells: boolean
  readonly counts: boolean
  /** Whether it denies, bounds, obliges or puts something on a condition. */
  readonly turns: boolean
  /** Whether it denies, obliges or sets a condition. */
  readonly demands: boolean
  readonly isCapital: boolean
  readonly ticks: number
  /** Double quotes that it holds, straight or round. */
  readonly quotes: number
  readonly endsSentence: boolean
  /** The mark of punctuation that it ends with, or nothing. */
  readonly stop: string
}

const telling = /[\p{N}_@#$%€£¥&|\\/<>{}()[\]=~^*+"“”«»„`→…]|\p{L}[.:]\p{L}|.\p{Lu}|^-./u
const sentenceEnd = /[.!?:;。！？]["'”’)\]]{0,3}$/

const known = new Map<string, WordFacts>()
const rememberedWords = 20_000

/** What a word is. Most words of a language stand in many texts, so that they are looked at once. */
export function wordFacts(word: string): WordFacts {
  const found = known.get(word)
  if (found !== undefined) return found
  const made = factsOf(word)
  // What is longer is data, and comes once.
  if (word.length > longest) return made
  if (known.size >= rememberedWords) known.clear()
  known.set(word, made)
  return made
}

function factsOf(word: string): WordFacts {
  const bare = word
    .slice(0, 80)
    .replaceAll(/^[^\p{L}\p{N}]{1,8}|[^\p{L}\p{N}]{1,8}$/gu, '')
    .replaceAll(/['’]/g, '')
    .toLowerCase()
  const counts = /\p{N}/u.test(word)
  return {
    bare,
    grammar: bare === '' ? 0 : functionWords.get(bare),
    tells: telling.test(word.slice(0, 200)) || word.length > longest,
    counts,
    turns: turningWords.has(bare) || counts,
    demands: demands.has(bare),
    isCapital: /^["'(]?\p{Lu}/u.test(word),
    quotes: countOf(word, /["“”„«»]/g),
    ticks: countOf(word, /`/g),
    endsSentence: sentenceEnd.test(word.slice(-6)),
    stop: /[.,!?;:]$/.exec(word.slice(-1))?.[0] ?? '',
  }
}

function countOf(word: string, form: RegExp): number {
  return word.match(form)?.length ?? 0
}

/** What is longer is data. */
const longest = 40
