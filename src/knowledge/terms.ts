import { stem } from './stem.ts'

/** Words of English that stand in every text. */
const stopWords: ReadonlySet<string> = new Set(
  `a about all also an and any are as at be been but by can could did do does for from get got had has have he her his how
   i if in into is it its just know like me mean my no not of ok okay on one or our really right she so some than that the
   their them then there these they think this those to uh um was we well were what when where which who whom whose why will with
   would yeah yes you your`.split(/\s+/),
)

/** Scripts that put no space between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/**
 * What a text is searched by, in its order and as often as it is said: words without those that stand everywhere, in lower case and
 * stemmed; of scripts without spaces every two neighbouring characters. Linear in the text.
 */
export function termsOf(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.flatMap((word) => (unspaced.test(word) ? pairsOf(word) : stopWords.has(word) ? [] : [stem(word)]))
}

function pairsOf(word: string): readonly string[] {
  const characters = [...word]
  return characters.length < 2 ? characters : characters.slice(1).map((next, at) => `${characters[at] ?? ''}${next}`)
}
