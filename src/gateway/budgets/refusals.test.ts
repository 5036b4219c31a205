import { expect, it } from 'vitest'
import type { LimitName } from '../budget-settings.ts'
import type { LimitEntry } from './limit-entries.ts'
import { beyondLimit } from './refusals.ts'

const entry = (unit: LimitEntry['unit'], limit: LimitName, [amount, most]: readonly [number, number]): LimitEntry => ({
  account: 'a',
  ttlMs: 1,
  scope: { kind: 'tenant', name: 'web', limits: {} },
  period: 'day',
  unit,
  limit,
  amount,
  most,
  endMs: 57_810_000,
})

const unused = { settled: 0, open: 0 }

it.each([
  [
    entry('nanoUsd', 'usdPerDay', [1.28e9, 0.01e9]),
    'cost $1.28, more than the whole limit of $0.01 (usdPerDay). Send max_tokens, or set outputTokens.',
  ],
  [
    { ...entry('tokens', 'tokensPerDay', [5000, 100]), scope: { kind: 'team', name: 'build', limits: {} } } as const,
    'take 5000, more than the whole limit of 100 (tokensPerDay of the team "build"). Send max_tokens, or set outputTokens.',
  ],
  [
    entry('requests', 'requestsPerDay', [1, 0]),
    'take 1, more than the whole limit of 0 (requestsPerDay). Ask the operator for a higher limit.',
  ],
])('a request that alone is more than a limit gets no time to try again: %#', (limit, message) => {
  const refused = beyondLimit(limit, unused, 0)
  expect(refused.message).toBe(`This request alone may ${message}`)
  expect(refused.data).not.toHaveProperty('retryAfterMs')
})

it('a request that fits an unused limit says when there is room', () => {
  const refused = beyondLimit(entry('nanoUsd', 'usdPerDay', [5e6, 1e7]), { settled: 9e6, open: 0 }, 0)
  expect(refused.data).toMatchObject({ retryAfterMs: 57_810_000 })
})
