import { readPattern } from './read-pattern.ts'
import type { PatternPart } from './read-pattern.ts'

interface Wanted {
  /** Characters that the text needs. */
  readonly least: number
  readonly nth: number
}

/** Longer ones are not made. */
const longest = 10_000

/**
 * A short text that a regular expression matches, or the nth besides it. Undefined for an expression with more than
 * characters, classes, groups, alternatives, repetitions, and anchors at its ends.
 */
export function patternText(pattern: string, { least, nth }: Wanted): string | undefined {
  const parts = readPattern(pattern)
  if (parts === undefined) return undefined
  const shortest = written(parts, { spare: 0, nth })
  if (shortest === undefined || shortest.length >= least) return shortest
  return written(parts, { spare: least - shortest.length, nth })
}

interface Writing {
  /** Characters that are still to be added by repetition. */
  spare: number
  nth: number
}

function written(part: PatternPart, writing: Writing): string | undefined {
  if (part.kind === 'characters') return character(part.characters, writing)
  if (part.kind === 'choice') return part.parts[0] && written(part.parts[0], writing)
  if (part.kind === 'repeat') return repeated(part, writing)
  let text = ''
  for (const each of part.parts) {
    const more = written(each, writing)
    if (more === undefined || text.length + more.length > longest) return undefined
    text += more
  }
  return text
}

function character(characters: string, writing: Writing): string | undefined {
  const chosen = characters[writing.nth % characters.length]
  writing.nth = Math.floor(writing.nth / characters.length)
  return chosen
}

function repeated(part: PatternPart & { readonly kind: 'repeat' }, writing: Writing): string | undefined {
  const { least, most } = part
  const first = written(part.part, writing)
  if (first === undefined) return undefined
  const further = first === '' ? 0 : Math.min(Math.ceil(writing.spare / first.length), most - least)
  writing.spare -= further * first.length
  const times = least + further
  if (times === 0) return ''
  const next = written(part.part, writing)
  if (next === undefined || times * Math.max(first.length, next.length) > longest) return undefined
  return first + next.repeat(times - 1)
}
