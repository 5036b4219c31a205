/** How arguments are written: as JSON, in whose strings lines stand, or as they are. */
export type ArgumentsForm = 'json' | 'plain'

/** A character as it is said, and where it ends in the raw text. */
interface Character {
  readonly said: string
  readonly end: number
}

/** The character at a place of the raw text; `cut` where more of the text will tell, `over` where the string ends. */
export function characterAt(form: ArgumentsForm, raw: string, at: number): Character | 'cut' | 'over' {
  const character = raw[at]
  if (character === undefined) return 'cut'
  if (form === 'json' && character === '"') return 'over'
  if (form === 'plain' || character !== '\\') return { said: character, end: at + 1 }
  const end = at + (raw[at + 1] === 'u' ? 6 : 2)
  if (end > raw.length) return 'cut'
  const said = saidBy(form, raw.slice(at, end))
  return said === undefined ? 'over' : { said, end }
}

/** What a piece of raw text says; undefined where it is no text of a string. */
export function saidBy(form: ArgumentsForm, raw: string): string | undefined {
  if (form === 'plain') return raw
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return undefined
  }
}

/** The text as it is written in arguments. */
export function inForm(form: ArgumentsForm, text: string): string {
  return form === 'json' ? JSON.stringify(text).slice(1, -1) : text
}

/** The beginning of a line that a raw text ends with. */
interface LineStart {
  readonly start: number
  /** Where the break before it begins; undefined where none is: it is the first. */
  readonly breakStart?: number
}

/** Where the last line of a raw text begins; undefined where that cannot be seen. */
export function lastLineStart(form: ArgumentsForm, raw: string, isCut: boolean): LineStart | undefined {
  for (let at = raw.length - 1; at >= 0; at -= 1) {
    const character = raw[at]
    if (form === 'plain') {
      if (character === '\n' || character === '\r') return { start: at + 1, breakStart: at }
    } else if (character === '"') {
      if (!isEscaped(raw, at)) return { start: at + 1 }
    } else if ((character === 'n' || character === 'r') && isEscaped(raw, at)) {
      return { start: at + 1, breakStart: at - 1 }
    }
  }
  return form === 'plain' && !isCut ? { start: 0 } : undefined
}

function isEscaped(raw: string, at: number): boolean {
  let slashes = 0
  while (raw[at - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}

const openEnds: { readonly [Form in ArgumentsForm]: RegExp } = {
  // An escape begins behind an even number of slashes.
  json: /(?<=(?<!\\)(?:\\\\)*)\\(?:[nr](?: |\\t)*[+-]?\\?)?$/,
  plain: /[\n\r](?:[ \t]*|[+-])$/,
}
/** Lines that are indented further are none of ours. */
const seenChars = 400

/**
 * Where the break begins before a line of which nothing has come yet but what may stand before a marker; the end of the
 * text where there is no such line.
 */
export function openBreak(form: ArgumentsForm, raw: string): number {
  const from = Math.max(0, raw.length - seenChars)
  const match = openEnds[form].exec(raw.slice(from))
  return match === null ? raw.length : from + match.index
}
