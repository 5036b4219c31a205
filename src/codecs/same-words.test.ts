import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasSameWords, wordsLength } from './same-words.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '😀', '.'), maxLength: 12 })
const respaced = (words: string): string => words.replaceAll(/\s/g, '').split('').join(' ')

it('the beginning of a text is told however its white space is', () => {
  fc.assert(
    fc.property(text, text, (beginning, rest) => {
      expect(wordsLength(`${beginning}${rest}`, beginning)).toBe(beginning.length)
      const joined = `${beginning.trim()} ${rest.trim()}`
      expect(hasSameWords(joined.slice(wordsLength(joined, beginning)), rest)).toBe(true)
      expect(hasSameWords(`${beginning}${rest}`, respaced(`${beginning}${rest}`))).toBe(true)
    }),
  )
})

it('a text that begins otherwise has nothing of it', () => {
  expect(wordsLength('I looked. Now I read.', 'I look. ')).toBe(0)
  expect(wordsLength('', 'I look. ')).toBe(0)
  expect(wordsLength('I look', 'I look. ')).toBe(0)
})
