import { expect, it } from 'vitest'
import { textMemo } from './text-memo.ts'

function countingMemo(keepsLarger: boolean) {
  let computed = 0
  const memo = textMemo(
    (text) => {
      computed += 1
      return text.length
    },
    1_000,
    { keepsLarger },
  )
  return { memo, computed: () => computed }
}

it('computes a text that is larger than a generation once, as long as no two others come between', () => {
  const { memo, computed } = countingMemo(true)
  const large = 'a'.repeat(5_000)
  for (let round = 0; round < 5; round += 1) expect(memo.get(large)).toBe(5_000)
  expect(computed()).toBe(1)
  memo.get('b'.repeat(5_000))
  memo.get(large)
  expect(computed()).toBe(2)
})

it('holds no more than two generations, whatever size its texts have', () => {
  const { memo, computed } = countingMemo(true)
  const texts = Array.from({ length: 6 }, (_, at) => String(at).repeat(5_000))
  for (const text of texts) memo.get(text)
  for (const text of texts) memo.get(text)
  expect(computed()).toBe(12)
})

it('computes such a text anew each time where it may not keep it', () => {
  const { memo, computed } = countingMemo(false)
  for (let round = 0; round < 3; round += 1) memo.get('a'.repeat(5_000))
  expect(computed()).toBe(3)
})
