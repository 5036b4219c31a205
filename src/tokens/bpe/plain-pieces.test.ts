import { expect, it } from 'vitest'
import { vocabularyOf } from '../vocabulary-of.ts'
import { bpeCounter } from './bpe-counter.ts'
import { ranksOf } from './ranks.ts'
import { plainCl100k, plainClaude, plainO200k, splitCl100k, splitClaude, splitO200k } from './split.ts'

const encodings = [
  { id: 'o200k_base', split: splitO200k, plain: plainO200k },
  { id: 'cl100k_base', split: splitCl100k, plain: plainCl100k },
  { id: 'claude', split: splitClaude, plain: plainClaude },
] as const

/** What every rule of a split turns on, and what looks like it. */
const ascii = [...`aestlASZ19  \n\r\t\v'/.(=`]
const characters = [...ascii, ...'\0\u001f\u007f\u0085\u00a0\u2028éſK\u0301中ǅ😀٣']
const words = [
  'the',
  ' return',
  'HTTP',
  'Server',
  "'s",
  "'LL",
  'constantly',
  ' internationalization',
  '    ',
  '\n\n  ',
  '#!/',
]

/** A text of a few characters and words, the same for the same number. */
function textOf(seed: number): string {
  let state = seed
  const next = (size: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * size)
  }
  const plainOnly = next(2) === 0
  return Array.from({ length: 1 + next(10) }, () =>
    next(4) === 0 ? words[next(words.length)] : characters[next(plainOnly ? ascii.length : characters.length)],
  ).join('')
}

it.each(encodings)('what is read as plain in $id is counted as its split has it', ({ id, split, plain }) => {
  const ranks = ranksOf(vocabularyOf(id))
  const count = bpeCounter({ ranks, split, plain })
  const bySplit = bpeCounter({ ranks, split })
  const texts = Array.from({ length: 60_000 }, (_, seed) => textOf((seed + 1) * 7919))
  expect(texts.filter((text) => count(text) !== bySplit(text))).toEqual([])
})

it('words of unlike letters are told apart where they share a place', () => {
  const ranks = ranksOf(vocabularyOf('o200k_base'))
  const count = bpeCounter({ ranks, split: splitO200k, plain: plainO200k })
  const bySplit = bpeCounter({ ranks, split: splitO200k })
  const letters = 'abcdefghij'
  const texts = ['', ' ', '_', '!'].flatMap((lead) =>
    [letters, letters.toUpperCase(), `A${letters}`, `AB${letters}`, 'a'.repeat(12)].flatMap((word) =>
      Array.from({ length: 12 }, (_, length) => lead + word.slice(0, length + 1)),
    ),
  )
  const wrong = texts.flatMap((text) =>
    ['', ' ', 'B', 'b', '1', "'"].map((behind) => text + behind).filter((whole) => count(whole) !== bySplit(whole)),
  )
  expect(wrong).toEqual([])
})
