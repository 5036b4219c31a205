import { expect, it } from 'vitest'
import { choicesOf } from './choices-of.ts'

it.each([
  [{ model: 'm', n: 4 }, 4],
  [{ generationConfig: { candidateCount: 3 } }, 3],
  [{ messages: [{ role: 'user', content: 'say {"n": 9}' }] }, 1],
  [{ n: 'many' }, 1],
  [{ n: 0 }, 1],
  [{}, 1],
])('%j asks for so many answers: %i', (body, count) => {
  expect(choicesOf(JSON.stringify(body))).toBe(count)
  expect(choicesOf(Buffer.from(JSON.stringify(body)))).toBe(count)
})

it('a body that is no JSON, or none, asks for one', () => {
  expect(choicesOf('{"n": 4')).toBe(1)
  expect(choicesOf(undefined)).toBe(1)
})
