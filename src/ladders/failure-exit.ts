/** How a command ended, as its result states it. */
export interface Exit {
  /** The line (from 0) that states it. */
  readonly line: number
  readonly status: number
}

const prefixLength = 600

const exitForms: readonly RegExp[] = [
  /^\s*<(?:returncode|exit_?code|exit_?status)>\s*(-?\d{1,10})\s*<\//i,
  /^\s*\[?(?:Command|Process|Program|Script)\b.{0,80}\b(?:exited|terminated|finished|failed) with (?:exit )?(?:code|status)[: ]+(-?\d{1,10})/i,
  // Further in it is a field of something that is described.
  /^\s{0,3}\[?exit(?:ed)?[ _-]?(?:code|status|with)?(?: code)?[:=]? *(-?\d{1,10})\b\]?[.\s]*$/i,
  /^\s*"?(?:returncode|return_?code|exit_?code|exit_?status)"?\s*[:=]\s*(-?\d{1,10})\b/i,
  /^[{[].{0,500}"(?:returncode|return_?code|exit_?code|exit_?status)":\s?(-?\d{1,10})\b/i,
  /"(?:returncode|return_?code|exit_?code|exit_?status)":\s?(-?\d{1,10})\s?\}$/i,
  /^make(?:\[\d+\])?: \*\*\* .*\bError (\d{1,10})\b/,
]

const exitWords = /exit|returncode|return_code|\*\*\*/i

/** Whether a line states how a command ended. */
export function statesExit(line: string): boolean {
  return exitIn(line) !== undefined
}

/** Whether one of the lines may state it: one look at a whole text. */
export function mayStateExit(text: string): boolean {
  return exitWords.test(text)
}

function exitIn(line: string): number | undefined {
  const start = line.length > prefixLength ? line.slice(0, prefixLength) : line
  if (!exitWords.test(start)) return undefined
  for (const form of exitForms) {
    const match = form.exec(start)
    if (match !== null) return Number(match[1])
  }
  return undefined
}

/** The exit status that a result states in its first or last lines. */
export function findExit(lines: readonly string[]): Exit | undefined {
  const size = lines.length
  for (let index = 0; index < size; index++) {
    if (index === 4 && size > 12) index = size - 8
    const status = exitIn(lines[index] ?? '')
    if (status !== undefined) return { line: index, status }
  }
  return undefined
}
