import { describe, expect, it } from 'vitest'
import { careful } from '../compiler/index.ts'
import { said } from '../core/index.ts'
import { compile } from './index.ts'

const items = Array.from({ length: 60 }, (_, index) => said('user', `${index} ${'word '.repeat(100)}`))

function usedBy(contextTokens: number | undefined, maxOutputTokens = 0) {
  const policy = contextTokens === undefined ? careful : { ...careful, contextTokens }
  const budget = { windowTokens: 200_000, maxOutputTokens, overheadTokens: 50 }
  const { pack, manifest } = compile({ items, policy, budget, layout: 'payload', frame: { request: 'Go on.' } })
  return { tokens: pack?.tokens ?? 0, window: manifest.windowTokens, reserve: manifest.reserveTokens }
}

describe('the most tokens that a request may have', () => {
  it('G-067: a pack and its framing stay within them, however large the window is and however much output is asked for', () => {
    expect(usedBy(undefined).tokens).toBeGreaterThan(5_000)
    for (const contextTokens of [600, 1_000, 3_001])
      for (const maxOutputTokens of [0, 40, 64_000]) {
        const { tokens, window, reserve } = usedBy(contextTokens, maxOutputTokens)
        expect(tokens + 50).toBeLessThanOrEqual(contextTokens)
        expect(window - reserve).toBeGreaterThan(contextTokens - 2)
        expect(window - reserve).toBeLessThanOrEqual(contextTokens)
      }
  })

  it('they are no window: a smaller one stands', () => {
    expect(usedBy(1_000_000).window).toBe(200_000)
  })
})
