import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodingTokenizer } from './encoding.ts'
import { heuristicTokenizer } from './heuristic-tokenizer.ts'

const samples: { readonly [kind: string]: string } = {
  prose: `The harbour had been quiet since the ferry stopped running, and people who once came for the market now drove
around the bay instead. Nobody complained loudly, but the bakery closed two days a week, and the school bus was half empty.
When the council finally asked what should happen with the pier, forty-one letters arrived within a month.`,
  code: `export function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const passed: T[] = []
  const failed: T[] = []
  for (const item of items) {
    if (test(item)) passed.push(item)
    else failed.push(item)
  }
  return [passed, failed]
}`,
  JSON: JSON.stringify({
    id: 48_213,
    status: 'shipped',
    customer: { name: 'Ada Byron', email: 'ada@example.org', tags: ['priority', 'returning'] },
    lines: [
      { sku: 'KB-2291', quantity: 2, unitPrice: 49.9 },
      { sku: 'MS-1107', quantity: 1, unitPrice: 19.5 },
    ],
    shippedAt: '2026-03-14T09:26:53Z',
  }),
  log: `2026-03-14 09:26:53,127 INFO  [worker-3] request 7f3a9c finished in 182 ms
2026-03-14 09:26:54,004 WARN  [worker-1] retrying upstream (attempt 2 of 5): connection reset by peer
Traceback (most recent call last):
  File "/srv/app/main.py", line 88, in handle
    raise TimeoutError("no answer from upstream")`,
  Chinese:
    '港口自从渡轮停运以后就安静了下来，过去来赶集的人现在都开车绕过海湾。没有人大声抱怨，但是面包店每周关门两天，校车也空了一半。',
  Japanese:
    'フェリーが止まってから港は静かになり、市場に来ていた人々は湾を車で回るようになった。大声で不満を言う人はいなかった。',
}

describe('C-006, N-17: within 20% of o200k_base', () => {
  it.each(Object.entries(samples))('%s', (_, text) => {
    const reference = encodingTokenizer('o200k_base').count(text)
    expect(Math.abs(heuristicTokenizer.count(text) / reference - 1)).toBeLessThan(0.2)
  })
})

it('counts nothing as 0 and anything else as at least 1', () => {
  expect(heuristicTokenizer.count('')).toBe(0)
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
      const tokens = heuristicTokenizer.count(text)
      expect(Number.isInteger(tokens)).toBe(true)
      expect(tokens).toBeGreaterThanOrEqual(text.trim() === '' ? 0 : 1)
      expect(tokens).toBeLessThanOrEqual(2 * text.length + 1)
    }),
  )
})
