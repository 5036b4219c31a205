/** The nearest of the names, if it is near enough to be what was meant. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined
  const near = names
    .map((name) => ({ name, distance: farness(word, name) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  return near !== undefined && near.distance <= leeway(word) ? near.name : undefined
}

/** How many letters of a word may be wrong. */
function leeway(word: string): number {
  return Math.max(1, Math.floor(word.length / 3))
}

/** The beginning of a name comes first, then a name with a word more, then names with wrong letters. */
function farness(word: string, name: string): number {
  if (word.length > 1 && name.startsWith(word)) return 0.5
  const [given, known] = [wordsIn(word), wordsIn(name)]
  if (given.length > 1 && isWithin(given, known)) return 0.75
  // A different word is no slip: `minTokens` is not `ownTokens`.
  const isOther =
    given.length > 1 && given.length === known.length && given.some((part, at) => isOtherWord(part, known[at]))
  return isOther ? Infinity : distance(word, name)
}

function isOtherWord(given: string, known = ''): boolean {
  return distance(given, known) > leeway(given)
}

function wordsIn(name: string): readonly string[] {
  return name
    .replaceAll(/[a-z](?=[A-Z])/g, '$&-')
    .toLowerCase()
    .split(/[-_]/)
}

/** Whether the words stand among the others, in order. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  let at = 0
  for (const other of others) if (other === words[at]) at += 1
  return at === words.length
}

/** The name that a word is but for one letter, for capitals, or for what stands between words. */
export function slipOf(word: string, names: readonly string[]): string | undefined {
  if (word.length < shortestSlip || word.length > longestWord) return undefined
  const said = plain(word)
  return names.find((name) => name.length >= shortestSlip && distance(said, plain(name)) <= 1)
}

/** Of shorter ones one letter is too much. */
const shortestSlip = 3

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}

/** `Did you mean NAME? ` before what else there is to say, where a name is near enough; else nothing. */
export function didYouMean(word: string, names: readonly string[]): string {
  const meant = suggest(word, names)
  return meant === undefined ? '' : `Did you mean ${meant}? `
}

/** Nobody means a name by a word that is longer; comparing it would take long. */
const longestWord = 100

/** Number of letters to add, remove, change or swap with the next. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
