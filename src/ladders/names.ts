/** Words joined by the marks that identifiers, paths and dotted names use. */
const wordForm = /[A-Za-z_][A-Za-z0-9_]*(?:[./-]+[A-Za-z0-9_]+)*/g
const joinForm = /[./-]+/
const innerForm = /.[_./-]|[a-z0-9][A-Z]/
const humpForm = /[a-z0-9][A-Z]/
const shortest = 5
/** Longer lines are data, not text; their names are not worth reading. */
const longestLine = 4000

/**
 * The names in a line: identifiers with inner structure, paths, dotted names and their parts. These are what a later
 * step can only write correctly if it has read them.
 */
export function namesIn(line: string): readonly string[] {
  const names = new Set<string>()
  const text = line.length > longestLine ? line.slice(0, longestLine) : line
  wordForm.lastIndex = 0
  for (let found = wordForm.exec(text); found !== null; found = wordForm.exec(text)) {
    const [word] = found
    if (word.length < shortest || !innerForm.test(word)) continue
    names.add(word)
    if (!joinForm.test(word)) continue
    for (const part of word.split(joinForm)) if (part.length >= shortest && isPartName(part)) names.add(part)
  }
  return [...names]
}

function isPartName(part: string): boolean {
  return part.includes('_') || humpForm.test(part)
}
