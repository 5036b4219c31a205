import type { Rendition } from '../src/core/index.ts'
import { contentKind, detectFailure, namesIn } from '../src/ladders/index.ts'

/** What a reader looks for in a text, by kind; each of it is a string that stands in it. */
export const factKinds = ['failures', 'numbers', 'names', 'negations'] as const
export type FactKind = (typeof factKinds)[number]

export type Facts = Readonly<Record<FactKind, readonly string[]>>

const negating =
  /\b(?:not|no|never|none|cannot|without|nothing|neither|nor|isn't|don't|doesn't|didn't|won't|can't)\b|[不没無]/i
/** What is longer is data, of which nobody reads a line. */
const longest = 400

/** Lines that state a failure, figures of three characters and more, names, and lines that deny something: each once. */
export function factsOf(text: string): Facts {
  const lines = text.split('\n')
  const short = (line: string): boolean => line !== '' && line.length <= longest
  const told = detectFailure(lines, contentKind(text)).lines.map((at) => lines[at]?.trim() ?? '')
  const said = lines.map((line) => line.trim()).filter((line) => short(line) && negating.test(line))
  return {
    failures: [...new Set(told.filter(short))],
    numbers: [...new Set(text.match(/(?<![\w.])\d[\d.,:]{1,20}\d(?!\w)/g))],
    names: [...new Set(lines.flatMap((line) => namesIn(line)))],
    negations: [...new Set(said)],
  }
}

/** How many of them still stand. */
export function standing(facts: readonly string[], { text }: Pick<Rendition, 'text'>): number {
  return facts.filter((fact) => text.includes(fact)).length
}
