/** A sentence, and where it stands. */
export interface Sentence {
  readonly said: string
  readonly start: number
  readonly end: number
}

/** Up to a mark that ends it and is followed by white space, or to the end of its line. */
export function sentencesOf(text: string): readonly Sentence[] {
  return Array.from(text.matchAll(/[^\n]+/g), ({ index, 0: line }) => inLine(line, index)).flat()
}

function inLine(line: string, at: number): readonly Sentence[] {
  const found: Sentence[] = []
  let start = 0
  for (let index = 0; index < line.length; index += 1) {
    const isLast = index === line.length - 1
    if (!isLast && !(isEnd(line[index]) && /\s/.test(line[index + 1] ?? ''))) continue
    const said = line.slice(start, index + 1)
    const from = start + (said.length - said.trimStart().length)
    if (said.trim() !== '') found.push({ said: said.trim(), start: at + from, end: at + from + said.trim().length })
    start = index + 1
  }
  return found
}

function isEnd(sign: string | undefined): boolean {
  return sign === '.' || sign === '!' || sign === '?' || sign === '。'
}
