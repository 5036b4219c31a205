import { propositionsOf } from '../src/ladders/index.ts'
import { plain } from './prose-cases.ts'
import type { ProseCase } from './prose-cases.ts'

/** A text in about so much of its length; undefined where it stays as it is. */
export type Shorten = (text: string, keepRatio: number) => string | undefined

/** What of questions still stands where the texts that answer them are shortened, as shares. */
export interface Measured {
  /** Of the characters. */
  readonly removed: number
  /** Of the questions, those whose answer stands. */
  readonly answers: number
  /** Of the words of the questions that stood beside their answers. */
  readonly context: number
}

export function measured(cases: readonly ProseCase[], shorten: Shorten, keepRatio: number): Measured {
  let [before, after, kept, asked, beside] = [0, 0, 0, 0, 0]
  for (const { text, question, answers } of cases) {
    const shown = shorten(text, keepRatio) ?? text
    before += text.length
    after += shown.length
    const left = plain(shown)
    const stands = answers.some((answer) => left.includes(plain(answer)))
    if (stands) kept += 1
    const around = plain(
      propositionsOf(text).find((one) => answers.some((answer) => plain(one.text).includes(plain(answer))))?.text ?? '',
    )
    const words = plain(question)
      .trim()
      .split(' ')
      .filter((word) => word.length > 3 && around.includes(` ${word} `))
    asked += words.length
    beside += stands ? words.filter((word) => left.includes(` ${word} `)).length : 0
  }
  return { removed: 1 - after / before, answers: kept / cases.length, context: beside / Math.max(1, asked) }
}
