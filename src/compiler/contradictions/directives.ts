import { axes } from './axes.ts'
import { limitIn } from './limits.ts'
import { sentencesOf } from './sentences.ts'
import type { Sentence } from './sentences.ts'

/** What a sentence orders, as far as it can be told by its words. */
export interface Directive {
  /** What it is about: `format`, `language`, `words`, or `rule` for anything else. */
  readonly about: string
  readonly start: number
  readonly end: number
  readonly scope: string | undefined
  /** Ways of which one is to be taken, or none. */
  readonly choice?: { readonly values: ReadonlySet<string>; readonly forbids: boolean }
  /** From and to, both allowed. */
  readonly range?: readonly [least: number, most: number]
  /** The stems of an order, its verb first. */
  readonly rule?: { readonly stems: readonly string[]; readonly forbids: boolean }
}

/** The orders in a text. */
export function directivesIn(text: string): readonly Directive[] {
  return sentencesOf(text).flatMap((sentence) => [...choicesIn(sentence), ...limitsIn(sentence), ...rulesIn(sentence)])
}

const output =
  /^(?:answer|reply|respond|write|output|use|give|format|return|state|show|keep|be|make|indent|produce|print|speak|present|antworte|schreibe|verwende|benutze)\b/
const stated = /\b(?:has|have|is|are) to be\b|\bmust be\b/

/** How something is to be written. */
function choicesIn({ words, forbids, ...place }: Sentence): readonly Directive[] {
  if (!output.test(words) && !stated.test(words)) return []
  return axes.flatMap(({ about, values }) => {
    const found = values.filter(([, form]) => form.test(words)).map(([value]) => value)
    return found.length === 0 ? [] : [{ ...spanOf(place), about, choice: { values: new Set(found), forbids } }]
  })
}

function limitsIn({ words, forbids, ...place }: Sentence): readonly Directive[] {
  // `no more than` was read as a word that forbids.
  const limit = limitIn(forbids ? `no ${words}` : words)
  return limit === undefined ? [] : [{ ...spanOf(place), about: limit.unit, range: limit.range }]
}

function spanOf({ start, end, scope }: Omit<Sentence, 'words' | 'forbids'>): Omit<Directive, 'about'> {
  return { start, end, scope }
}

const stopWords: ReadonlySet<string> = new Set(
  'a an the your you my our their its it i me he she they them this that these those and or of to for from in on at by with as is are be been has have will would all any each every before after not also use make do'.split(
    ' ',
  ),
)

/** An order of at least two words that count, or one where it forbids. */
function rulesIn({ words, forbids, ...place }: Sentence): readonly Directive[] {
  const stems = words
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !stopWords.has(word))
    .map(stemOf)
  if (stems.length < 2) return []
  return [{ ...spanOf(place), about: 'rule', rule: { stems, forbids } }]
}

/** Cut down to what the forms of a word have in common, in English. */
function stemOf(word: string): string {
  return word.length <= 4 ? word.replace(/s$/, '') : word.replace(/(?:ing|ed|es|s|ly)$/, '')
}
