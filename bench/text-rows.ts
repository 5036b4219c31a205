import type { Chances } from './seeded-random.ts'
import { chancesOf } from './seeded-random.ts'

/** A kind of text that tools return, and a text of about a number of characters. */
export interface TextKind {
  readonly name: string
  readonly text: (size: number) => string
}

export interface Row extends Chances {
  /** From 0. */
  readonly at: number
  word(this: void): string
  number(this: void): number
  sentence(this: void): string
}

const words =
  'session request invoice worker cache ledger customer token queue index replica answer returned rejected stored retried merged sorted dropped logged expired moved user_id getUser total'.split(
    ' ',
  )

/** A text of rows between a beginning and an end; the row's line break is part of the row. */
export function rows(name: string, row: (row: Row) => string, before = '', after = ''): TextKind {
  return {
    name,
    text: (size) => {
      const chances = chancesOf(7)
      const word = (): string => chances.pick(words)
      const number = (): number => chances.upTo(100_000)
      const sentence = (): string => `The ${word()} ${word()} ${number()} of the ${word()}s that a ${word()} had.`
      const parts = [before]
      for (let at = 0, length = 0; length < size; at += 1) {
        const part = row({ ...chances, at, word, number, sentence })
        parts.push(part)
        length += part.length
      }
      return parts.join('') + after
    },
  }
}

export function repeated(name: string, part: string): TextKind {
  return { name, text: (size) => part.repeat(Math.ceil(size / part.length)) }
}

/** What another kind's text is made into. */
export function made(name: string, from: TextKind, make: (text: string) => string): TextKind {
  return { name, text: (size) => make(from.text(size)) }
}
