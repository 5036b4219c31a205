import { describe, expect, it } from 'vitest'
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
  const refused = beyondLimit(limit, unused, { nowMs: 0 })
  expect(refused.message).toBe(`This request alone may ${message}`)
  expect(refused.data).not.toHaveProperty('retryAfterMs')
})

it('a request that fits an unused limit says when there is room', () => {
  const refused = beyondLimit(entry('nanoUsd', 'usdPerDay', [5e6, 1e7]), { settled: 9e6, open: 0 }, { nowMs: 0 })
  expect(refused.data).toMatchObject({ retryAfterMs: 57_810_000 })
})

it('requests that are let in count as used, whether they have been written or not', () => {
  const minute = { ...entry('requests', 'requestsPerMinute', [1, 3]), endMs: 60_000 }
  const refused = beyondLimit(minute, { settled: 2, open: 1 }, { nowMs: 20_000 })
  expect(refused.message).toContain(
    'has used 3 of 3 (requestsPerMinute); this request may take 1. The limit begins anew at',
  )
  expect(refused.message).not.toContain('under way')
  expect(refused.data).toMatchObject({ retryAfterMs: 40_000 })
})

describe('a request that alone is more than a limit names what makes it large', () => {
  const of = (nanoUsd: number) => ({ nanoUsd, tokens: 0 })
  const causes = { ofPrompt: of(1e6), withOne: of(5e6), choices: 1, isBounded: false }

  it.each([
    [{ ...causes, ofPrompt: of(2e7) }, 'Its prompt alone may cost $0.02. Send a shorter one, or ask'],
    [{ ...causes, choices: 8 }, 'It asks for 8 answers, and one fits. Ask for fewer (n or candidateCount).'],
    [{ ...causes, choices: 8, withOne: of(2e7) }, 'Send max_tokens, or set outputTokens.'],
    [{ ...causes, isBounded: true }, 'Send a smaller max_tokens.'],
    [causes, 'Send max_tokens, or set outputTokens.'],
  ])('%#', (made, remedy) => {
    const refused = beyondLimit(entry('nanoUsd', 'usdPerDay', [4e7, 1e7]), unused, { nowMs: 0, causes: made })
    expect(refused.message).toContain(`more than the whole limit of $0.01 (usdPerDay). ${remedy}`)
  })
})
