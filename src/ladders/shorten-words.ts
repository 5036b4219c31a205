import { longestProse, proseWords } from './prose-words.ts'
import type { ProseWord } from './prose-words.ts'

export interface ShortenOptions {
  /** Share of the text's length that is to be kept, in [0, 1]. */
  readonly keepRatio: number
  /** What each word (a run without white space) is worth, in [0, 1]; by the built-in model where absent. */
  readonly worth?: ArrayLike<number>
  /** Words, in lower case, that stay. */
  readonly focus?: ReadonlySet<string>
  /** Whether a word stays whatever it is worth. */
  readonly keeps?: (word: string) => boolean
}

/**
 * Prose with the words left out that a reader misses least, word for word and in order otherwise. What stays whatever the ratio: figures
 * with what they count, names, identifiers, quotes, code, tables, headings, and of sentences that deny, oblige or set a condition all but
 * fillers; without weights from elsewhere, all words but those of grammar. So the text may be longer than was asked for. Undefined
 * where it is no English prose and nobody says what its words are worth. Linear.
 */
export function shortenWords(
  text: string,
  { keepRatio, worth: given, focus, keeps }: ShortenOptions,
): string | undefined {
  if (text.length > longestProse) return undefined
  const words = proseWords(text)
  if (words.length < leastWords) return undefined
  const weights = given === undefined ? undefined : weightsOf(words, given)
  if (weights === undefined && !isEnglish(words)) return undefined
  const keep = keptWords(words)
  if (keeps !== undefined || focus !== undefined)
    for (const [at, { text: word, facts }] of words.entries())
      if (keeps?.(word) === true || focus?.has(facts.bare) === true) keep[at] = 1
  const length = words.reduce((sum, word) => sum + word.text.length + word.gap.length, 0)
  const goal = { excess: length - keepRatio * length }
  const gone = new Uint8Array(words.length)
  leaveOutByWorth(words, { keep, gone, goal, worth: weights ?? words.map(({ facts }) => facts.grammar ?? 1) })
  return written(words, gone)
}

const leastWords = 24

/** What is given is of runs without white space, which may be parted into several words here; undefined where it is of another text. */
function weightsOf(words: readonly ProseWord[], given: ArrayLike<number>): Float32Array | undefined {
  let run = -1
  let isParted = true
  const weights = Float32Array.from(words, ({ text, gap }) => {
    // Between propositions there may be white space alone.
    isParted ||= gap !== ''
    if (text === '') return 1
    if (isParted) run += 1
    isParted = false
    return given[run] ?? 1
  })
  return run + 1 === given.length ? weights : undefined
}

/** A fifth of English text is grammar. */
function isEnglish(words: readonly ProseWord[]): boolean {
  const step = Math.max(1, Math.floor(words.length / 400))
  let sampled = 0
  let found = 0
  for (let at = 0; at < words.length; at += step) {
    sampled += 1
    if ((words[at]?.facts.grammar ?? 0) > 0) found += 1
  }
  return found >= 0.2 * sampled
}

/** 1 for every word that no shortening takes away. */
function keptWords(words: readonly ProseWord[]): Uint8Array {
  const keep = new Uint8Array(words.length)
  let opens = true
  let quoted = 0
  let code = false
  for (const [at, word] of words.entries()) {
    const { text, isFixed, facts } = word
    const { ticks, quotes, tells, turns, isCapital, endsSentence } = facts
    if (opens || words[at - 1]?.proposition !== word.proposition) opens = true
    const isName = isCapital && (!opens || facts.grammar === undefined) && text.length > 1
    if (isFixed || code || quoted > 0 || ticks > 0 || quotes > 0 || tells || isName) keep[at] = 1
    if (ticks % 2 === 1) code = !code
    // A mark of inches opens no quote that anybody closes.
    if (quotes % 2 === 1) quoted = quoted > 0 ? 0 : longestQuote
    else if (quoted > 0) quoted -= 1
    if (turns) keepWithNext(words, keep, at)
    opens = endsSentence
  }
  keepDemands(words, keep)
  return keep
}

/** In words. */
const longestQuote = 24

/** What is counted, denied or demanded: the next word that says something, up to three words on and never in another clause. */
function keepWithNext(words: readonly ProseWord[], keep: Uint8Array, at: number): void {
  keep[at] = 1
  for (let next = at; next < Math.min(at + 3, words.length - 1); next += 1) {
    if ((words[next]?.facts.stop ?? '') !== '') return
    keep[next + 1] = 1
    if (words[next + 1]?.facts.grammar === undefined) return
  }
}

/** A sentence that denies, obliges or sets a condition keeps all that is no grammar, and so does one that is short. */
function keepDemands(words: readonly ProseWord[], keep: Uint8Array): void {
  for (let start = 0; start < words.length;) {
    let end = start
    let turns = false
    while (end < words.length && words[end]?.proposition === words[start]?.proposition) {
      const facts = words[end]?.facts
      if (facts?.demands === true || facts?.stop === '?') turns = true
      end += 1
    }
    const least = turns ? filler : end - start < shortSentence ? dispensable : 1
    for (let at = start; at < end; at += 1) if ((words[at]?.facts.grammar ?? 1) > least) keep[at] = 1
    start = end
  }
}

const shortSentence = 10
/** Articles and fillers: all that may go of what must not be misread. */
const filler = 0.05
/** With auxiliaries: what may go of a sentence of which nearly every word counts. */
const dispensable = 0.12

interface Leaving {
  readonly keep: Uint8Array
  readonly gone: Uint8Array
  /** Characters that are still too many. */
  readonly goal: { excess: number }
}

/** The least worth first, in the text's order where they are worth the same. By buckets: linear. */
function leaveOutByWorth(
  words: readonly ProseWord[],
  { keep, gone, goal, worth }: Leaving & { readonly worth: ArrayLike<number> },
): void {
  const buckets: number[][] = Array.from({ length: 65 }, () => [])
  for (let at = 0; at < words.length; at += 1) {
    const value = worth[at] ?? 1
    if (keep[at] === 0 && value < 1) buckets[Math.round(64 * Math.min(1, Math.max(0, value)))]?.push(at)
  }
  for (const bucket of buckets)
    for (const at of bucket) {
      if (goal.excess <= 0) return
      const length = (words[at]?.text.length ?? 0) + 1
      if (length > goal.excess) continue
      gone[at] = 1
      goal.excess -= length
    }
}

/** What ends a sentence goes to the word before it; line breaks stay. */
function written(words: readonly ProseWord[], gone: Uint8Array): string {
  const parts: string[] = []
  let open = ''
  let ended = true
  for (const [at, { text, gap, facts }] of words.entries()) {
    if (gap.includes('\n')) open = gap
    if (gone[at] === 0) {
      parts.push(open !== '' ? open : parts.length === 0 || gap === '' ? '' : ' ', text)
      open = ''
      ended = facts.stop !== ''
    } else if (!ended && facts.stop !== '' && facts.stop !== ',') {
      parts.push(facts.stop)
      ended = true
    }
  }
  return parts.join('')
}
