/** Endings that say how a word is used and not what it is about, longest first. */
const endings = [
  'ization',
  'fulness',
  'ousness',
  'iveness',
  'ational',
  'ement',
  'ation',
  'ition',
  'ment',
  'ness',
  'ance',
  'ence',
  'able',
  'ible',
  'ally',
  'ing',
  'ion',
  'ity',
  'ive',
  'est',
  'ed',
  'er',
  'ly',
  'al',
  'or',
] as const

const leastStem = 3
const vowel = /[aeiouy]/
const doubled = /([^aeiouls])\1$/

/**
 * What forms of an English word have in common, e.g. `transcrib` of transcribed and transcribing: light and without tables, so
 * that it is wrong now and then (`universe` and `university`). Words with figures, and those of three letters, stay as they are. Takes lower case.
 */
export function stem(word: string): string {
  if (word.length <= leastStem || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  const ending = endings.find((one) => isEnding(singular, one))
  const root = ending === undefined ? singular : singular.slice(0, -ending.length)
  const single = root.length > leastStem && doubled.test(root) ? root.slice(0, -1) : root
  return single.length > leastStem && /[eiy]$/.test(single) ? single.slice(0, -1) : single
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('sses')) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

function isEnding(word: string, ending: string): boolean {
  const rest = word.length - ending.length
  return rest >= leastStem && word.endsWith(ending) && vowel.test(word.slice(0, rest))
}
