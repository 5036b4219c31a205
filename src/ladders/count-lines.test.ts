import { describe, expect, it } from 'vitest'
import { atLeast, haveForm } from './count-lines.ts'

describe('atLeast', () => {
  const isEven = (line: string): boolean => Number(line) % 2 === 0
  const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => String(at))

  it('says whether so many match', () => {
    for (const count of [0, 1, 2, 7, 8]) {
      const matching = numbers(count).filter(isEven).length
      expect(atLeast(numbers(count), matching, isEven)).toBe(true)
      expect(atLeast(numbers(count), matching + 0.1, isEven)).toBe(false)
    }
    expect(atLeast([], -1, isEven)).toBe(true)
  })

  it('looks no further than it is open', () => {
    let looks = 0
    const counted = (line: string): boolean => {
      looks += 1
      return isEven(line)
    }
    expect(atLeast(numbers(100), 90, counted)).toBe(false)
    expect(looks).toBe(22)
    expect(atLeast(numbers(100), 2, counted)).toBe(true)
    expect(looks).toBe(25)
  })
})

describe('haveForm', () => {
  it('is the share that it says, for every number of lines', () => {
    const shares = [0.1, 0.15, 0.2, 0.25, 0.3, 0.8, 0.9]
    for (let count = 1; count <= 96; count += 1)
      for (let matching = 0; matching <= count; matching += 1) {
        const lines = Array.from({ length: count }, (_, at) => (at < matching ? 'a' : 'b'))
        const answers = shares.map((share) => haveForm(lines, share, /a/))
        expect(answers).toEqual(shares.map((share) => matching / count >= share))
      }
  })
})
