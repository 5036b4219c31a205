/** Numbers that say something: amounts, dates, times, percentages, numbers of orders. */
const numberForm = /\p{N}[\p{N}.,:/-]*\p{N}|\p{N}+ ?[%€$£¥]|[€$£¥] ?\p{N}+/gu
/** Names in prose: words with a capital that begin no sentence, and marks of letters and digits. */
const nameForm = /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}'’-]{2,40}|\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d-]{4,24}\b/gu
/** Pairs of characters of scripts that are written without blanks between words. */
const pairForm = /(?=([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]{2}))./gu

const factWorth = 0.025
const pairWorth = 0.003
/** Of one line, whatever stands in it. */
const mostWorth = 0.25
const looked = 600

/**
 * What a line is worth, in expected later uses, for the numbers, dates, names and words of any script in it that no line before
 * it had; `seen` remembers them. Identifiers of programs are not counted.
 */
export function factsWorth(line: string, seen: Set<string>): number {
  const start = line.length > looked ? line.slice(0, looked) : line
  const numbers = fresh(start.matchAll(numberForm), seen)
  const names = capital.test(start) ? fresh(start.matchAll(nameForm), seen) : 0
  const pairs = otherScript.test(start) ? fresh(start.matchAll(pairForm), seen) : 0
  return Math.min(mostWorth, factWorth * (numbers + names) + pairWorth * pairs)
}

/** Without these there are no names, and no pairs. */
const capital = /\p{Lu}/u
const otherScript = /[^\u0000-\u02ff]/

function fresh(found: Iterable<RegExpExecArray>, seen: Set<string>): number {
  let count = 0
  for (const match of found) {
    const word = match[1] ?? match[0]
    if (seen.has(word)) continue
    seen.add(word)
    count++
  }
  return count
}
