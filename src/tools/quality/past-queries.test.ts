import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withQuery } from './past-queries.ts'

const after = (queries: readonly string[]): readonly string[] =>
  queries.reduce((kept: readonly string[], query) => withQuery(kept, query), [])

describe('the past queries of a tool', () => {
  it('stand with the newest first', () => {
    expect(after(['send a letter', 'mail my boss'])).toEqual(['mail my boss', 'send a letter'])
  })

  it('hold what says the same once, in its newest form', () => {
    expect(after(['send a letter', 'mail my boss', 'Send the letters!'])).toEqual(['Send the letters!', 'mail my boss'])
  })

  it('leave out what tells nothing', () => {
    expect(after(['', 'ok', 'continue', '???'])).toEqual([])
  })

  it('are bounded, and lose what newer ones resemble most', () => {
    const distinct = Array.from({ length: 23 }, (_, at) => `subject${at} matter${at} thing${at}`)
    const kept = after(['send long letters abroad', ...distinct, 'send long letters quickly'])
    expect(kept).toHaveLength(24)
    expect(kept).not.toContain('send long letters abroad')
    expect(kept).toContain('subject0 matter0 thing0')
  })

  it('are short, and whole characters', () => {
    const [only = ''] = after([`send ${'x'.repeat(594)}😀 letters`])
    expect(only.length).toBeLessThanOrEqual(600)
    expect(only.isWellFormed()).toBe(true)
  })

  it('are never more than 24, hold the new one first, and none twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('red', 'blue', 'green', 'kite', 'boat'), { minLength: 2 })),
        (all) => {
          const kept = after(all.map((words) => words.join(' ')))
          expect(kept.length).toBeLessThanOrEqual(24)
          expect(new Set(kept).size).toBe(kept.length)
        },
      ),
    )
  })
})
