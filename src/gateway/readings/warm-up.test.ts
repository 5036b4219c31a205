import { expect, test } from 'vitest'
import { warmUp } from './warm-up.ts'

test('what is packed to warm up can be packed, each of it', async () => {
  const outcomes = await warmUp(() => false)
  expect(outcomes.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('warming up gives way to the first question', async () => {
  let looks = 0
  const outcomes = await warmUp(() => (looks += 1) > 1)
  expect(outcomes).toHaveLength(1)
})
