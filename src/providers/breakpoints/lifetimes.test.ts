import { expect, test } from 'vitest'
import { longerPays, usedAgain } from './index.ts'
import type { PrefixUses } from './index.ts'

const minute = 60_000
const claude = { read: 0.1, write: 1.25, writeLong: 2, shortMs: 5 * minute, longMs: 60 * minute }

function pays(silences: readonly number[]): boolean {
  let nowMs = 0
  let uses: PrefixUses | undefined = usedAgain(undefined, nowMs, claude)
  for (const silence of silences) {
    nowMs += silence * minute
    uses = usedAgain(uses, nowMs, claude)
  }
  return longerPays(uses, claude)
}

test('the longer lifetime is paid for where a beginning comes back between the two', () => {
  expect(pays([20, 20])).toBe(true)
  expect(pays([1, 20, 1, 40, 2, 10, 300, 12])).toBe(true)
})

test('and not where it is always in use, comes back once, or comes too late for both', () => {
  expect(pays([])).toBe(false)
  expect(pays([1, 4, 1, 4.9, 1])).toBe(false)
  expect(pays([20])).toBe(false)
  expect(pays([90, 90, 90, 20, 20])).toBe(false)
})

test('what was long ago counts less', () => {
  const before = Array.from({ length: 60 }, () => 90)
  expect(pays([...before, ...Array.from({ length: 60 }, () => 20)])).toBe(true)
})

test('requests that overtake each other do no harm', () => {
  const uses = usedAgain(usedAgain(undefined, 10 * minute, claude), 9 * minute, claude)
  expect(uses).toEqual({ lastMs: 10 * minute, within: 0, beyond: 0 })
})
