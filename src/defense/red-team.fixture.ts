import { readFileSync } from 'node:fs'
import { smuggled } from './smuggled.fixture.ts'
import { diluted } from './diluted.fixture.ts'

/** Kinds of attacks; a file of `src/fixtures/attacks` each. */
export const attackClasses = ['direct', 'indirect', 'dilution', 'smuggling', 'forged'] as const
export type AttackClass = (typeof attackClasses)[number]

export interface RedTeamText {
  readonly kind: AttackClass | 'benign'
  readonly language: string
  readonly text: string
  /** Detectors are tuned on the other half only; by a hash of the text. */
  readonly isHeldOut: boolean
}

const folder = new URL('../fixtures/attacks/', import.meta.url)

/** A line each: a language, how it is made where it is made, a colon and the text, line ends as `⏎`. */
export function redTeam(kind: RedTeamText['kind']): readonly RedTeamText[] {
  const lines = readFileSync(new URL(`${kind}.txt`, folder), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const colon = line.indexOf(': ')
    const [language = '', ...how] = line.slice(0, colon).split(' ')
    const said = line.slice(colon + 2).replaceAll('⏎', '\n')
    return { kind, language, text: made(kind, how, said), isHeldOut: hashOf(line) % 2 === 1 }
  })
}

function made(kind: RedTeamText['kind'], how: readonly string[], said: string): string {
  const [name = '', times = '1'] = how
  if (kind === 'smuggling') return smuggled(name, said)
  return kind === 'dilution' ? diluted(name, Number(times), said) : said
}

/** FNV-1a, with its bits mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const one of text) hash = Math.imul(hash ^ (one.codePointAt(0) ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
