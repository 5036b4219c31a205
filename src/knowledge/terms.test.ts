import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'
import { termsOf } from './terms.ts'

describe('terms', () => {
  it.each([
    ['meetings', 'meeting'],
    ['transcribed', 'transcribing'],
    ['parties', 'party'],
    ['stopped', 'stopping'],
    ['agreement', 'agreed'],
  ])('%s is found by %s', (one, other) => {
    expect(stem(one)).toBe(stem(other))
  })

  it.each(['bus', 'red', 'v2', '2023', 'gas', 'über'])('%s stays as it is', (word) => {
    expect(stem(word)).toBe(word)
  })

  it('leaves out what stands everywhere, and keeps order, numbers and repetitions', () => {
    expect(termsOf('When did the 2 ferries leave Elba? The ferries left at 7.')).toEqual([
      '2',
      stem('ferry'),
      'leav',
      'elba',
      stem('ferry'),
      'left',
      '7',
    ])
  })

  it('reads scripts without spaces by pairs, so that a word is found inside of a sentence', () => {
    const sentence = termsOf('明日は東京駅で会いましょう')
    for (const term of termsOf('東京駅')) expect(sentence).toContain(term)
  })

  it('is linear in texts without a space', () => {
    const started = performance.now()
    expect(termsOf('a'.repeat(1_000_000))).toHaveLength(1)
    expect(termsOf('東'.repeat(200_000))).toHaveLength(199_999)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
