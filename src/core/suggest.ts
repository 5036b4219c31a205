/** The nearest of the names, if it is near enough to be what was meant. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined
  const near = names
    .map((name) => ({
      name,
      distance: name.startsWith(word) && word.length > 1 ? 0.5 : distance(word, name),
    }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  return near !== undefined && near.distance <= Math.max(1, Math.floor(word.length / 3)) ? near.name : undefined
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
