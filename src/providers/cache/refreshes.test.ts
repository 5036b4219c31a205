import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refreshesThatPay } from '../index.ts'

const minute = 60_000
const claude = { read: 0.1, write: 1.25, ttlMs: 5 * minute }
const rules = { everyMs: 4 * minute, most: 3 }

function pays(silences: readonly number[], { leftOut = 0, prices = claude } = {}): number {
  const startsMs = [0]
  for (const silence of silences) startsMs.push(startsMs.at(-1)! + silence * minute)
  return refreshesThatPay(
    { startsMs, prompt: () => ({ tokens: 10_000, coldTokens: 10_000 * (1 - leftOut) }) },
    rules,
    prices,
  )
}

test('a session that comes every ten minutes is waited for, for as long as that takes', () => {
  expect(pays([10, 10])).toBe(2)
  expect(pays([14, 14, 14, 14])).toBe(3)
  expect(pays([0.2, 0.5, 7, 0.1, 7])).toBe(1)
})

test('one that is never away, one that has been late once, and one that comes hours later are not', () => {
  expect(pays([])).toBe(0)
  expect(pays([1, 2, 3, 4, 4.9])).toBe(0)
  expect(pays([10])).toBe(0)
  expect(pays([120, 180, 240])).toBe(0)
})

test('nor one whose returns are too rare for what waiting costs', () => {
  expect(pays([35, 35, ...Array<number>(30).fill(120)])).toBe(0)
  expect(pays([10, 10], { prices: { ...claude, read: 1.2 } })).toBe(0)
})

test('nor one for which a cold cache is the time to leave out much', () => {
  expect(pays([10, 10], { leftOut: 0.1 })).toBe(2)
  expect(pays([10, 10], { leftOut: 0.7 })).toBe(0)
  expect(pays([1, 1, 10, 1, 1, 1, 1, 1, 10], { leftOut: 0.5 })).toBe(0)
})

test('N-39: what would have been spent is less than half of what would have been saved', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 30 }), (silences) => {
      const most = pays(silences)
      const sent = silences.map((ms) => Math.min(most, Math.floor(ms / 4)))
      const saved = silences.filter((ms, index) => ms > 5 && ms <= sent[index]! * 4 + 5).length * (1.25 - 0.1)
      const spent = (sent.reduce((total, each) => total + each, 0) + most) * 0.1
      expect(most === 0 || saved > 2 * spent).toBe(true)
    }),
  )
})
