/** Whether two texts say the same, white space aside: some clients trim what they keep, or join it. */
export function hasSameWords(a: string, b: string): boolean {
  return a === b || withoutBlanks(a) === withoutBlanks(b)
}

/** Whether a text ends in the words of another. */
export function endsWithWords(text: string, end: string): boolean {
  return withoutBlanks(text).endsWith(withoutBlanks(end))
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}

/**
 * How many characters of a text say what another text says, white space aside, when it begins with that; 0 where it does
 * not.
 */
export function wordsLength(text: string, beginning: string): number {
  if (text.startsWith(beginning)) return beginning.length
  let at = 0
  for (const character of withoutBlanks(beginning)) {
    at = skipBlanks(text, at)
    if (!text.startsWith(character, at)) return 0
    at += character.length
  }
  return skipBlanks(text, at)
}

const blank = /\s/

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && blank.test(text.charAt(at))) at += 1
  return at
}
