import { expect, it } from 'vitest'
import { limitLines } from './step-limits.ts'

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
