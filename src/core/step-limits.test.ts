import { expect, it } from 'vitest'
import { limitLines, missedLimits } from './step-limits.ts'

it('writes every limit on a line of its own, in units that people read', () => {
  expect(limitLines({ latencyMs: 8_000, costUsd: 0.2, tokens: 900, risk: 'low' })).toEqual([
    'Latency <= 8 s',
    'Cost <= $0.20',
    'Tokens <= 900',
    'Risk <= low',
  ])
  expect(limitLines({ latencyMs: 250, costUsd: 0.0015 })).toEqual(['Latency <= 250 ms', 'Cost <= $0.0015'])
  expect(limitLines({})).toEqual([])
})

it('N-38: says which bounds of a step are not met, and by how much', () => {
  const limits = { latencyMs: 8_000, costUsd: 0.2 }
  expect(missedLimits(limits, { latencyMs: 8_000, costUsd: 0.2, tokens: 5_000 })).toEqual([])
  expect(missedLimits(limits, { latencyMs: 9_500, costUsd: 0.21 })).toEqual([
    { limit: 'latencyMs', most: 8_000, actual: 9_500 },
    { limit: 'costUsd', most: 0.2, actual: 0.21 },
  ])
  expect(missedLimits(limits, {})).toEqual([])
})
