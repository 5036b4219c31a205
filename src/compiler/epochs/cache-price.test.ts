import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedTurns, isWarm, leastRequestCost, prefixSums, requestCost, wrapperTokens } from './cache-price.ts'

const prices = { read: 0.1, write: 1.25, minTokens: 1024, ttlMs: 300_000 }

describe('requestCost', () => {
  it('G-014: reads cost the read price, the rest the write price', () => {
    expect(requestCost(10_000, 8_000, prices)).toBeCloseTo(0.1 * 8_000 + 1.25 * 2_000)
  })

  it('below the minimum nothing is written and nothing is read', () => {
    expect(requestCost(1_000, 900, prices)).toBe(1_000)
    expect(requestCost(2_000, 900, prices)).toBe(1.25 * 2_000)
  })

  it('never reads more than there is', () => {
    expect(requestCost(2_000, 9_000, prices)).toBeCloseTo(200)
  })
})

describe('leastRequestCost', () => {
  it('no request of so many tokens or more costs less', () => {
    const tokens = fc.nat(4000)
    fc.assert(
      fc.property(tokens, tokens, tokens, (least, more, cached) => {
        expect(leastRequestCost(least, cached, prices)).toBeLessThanOrEqual(requestCost(least + more, cached, prices))
      }),
    )
  })
})

describe('isWarm', () => {
  it('a prefix lives for its time to live after the last request', () => {
    expect(isWarm(0, 300_000, prices)).toBe(true)
    expect(isWarm(0, 300_001, prices)).toBe(false)
  })

  it('assumes a warm cache where no clock is given: rewriting must then pay for itself', () => {
    expect(isWarm(undefined, 5, prices)).toBe(true)
    expect(isWarm(5, undefined, prices)).toBe(true)
  })
})

describe('expectedTurns', () => {
  it('starts at the prior and grows with every request a session has had', () => {
    expect(expectedTurns(0, 30)).toBe(30)
    expect(expectedTurns(50, 30)).toBe(80)
  })

  it('comes to the mean of earlier sessions, the sooner the more there are', () => {
    expect(expectedTurns(0, 40, { sessions: 4, requests: 40 })).toBe(40)
    expect(expectedTurns(0, 40, { sessions: 9, requests: 110 })).toBe(15)
    expect(expectedTurns(50, 40, { sessions: 99, requests: 1010 })).toBe(11)
  })
})

describe('prefixSums', () => {
  it('counts the framing of every item', () => {
    expect(prefixSums([{ tokens: 10 }, { tokens: 5 }])).toEqual([0, 10 + wrapperTokens, 15 + 2 * wrapperTokens])
  })
})
