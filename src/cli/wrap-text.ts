/** What prose is set to where nobody says how wide a line is, and the most that reads well. */
const usualColumns = 80
const mostColumns = 100

/** How wide prose is on a terminal of so many columns. */
export function proseWidth(columns = usualColumns): number {
  return Math.min(columns, mostColumns)
}

/** The lines of a text, none longer than `most` unless a word is. */
export function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + word.length + 1 > most) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

/** A line that may begin with spaces; what does not fit goes on below, two spaces further in. */
export function hanging(line: string, most = Number.POSITIVE_INFINITY): string {
  if (line.length <= most) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  const [first = '', ...rest] = wrapped(line.trim(), most - indent.length - 2)
  return [`${indent}${first}`, ...rest.map((part) => `${indent}  ${part}`)].join('\n')
}

/** A command line that goes on in the next line where it would be too long. */
export function shellLine(line: string, most: number): string {
  if (line.length <= most) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines = wrapped(line.trim(), most - indent.length - 4)
  return lines.map((part, index) => `${indent}${index === 0 ? '' : '  '}${part}`).join(' \\\n')
}
