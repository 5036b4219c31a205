import { describe, expect, it } from 'vitest'
import { recentTurns, saturationTurn } from './window.ts'

describe('the window of a conversation', () => {
  it('is full after as many turns as fit beside what is fixed: 135 of 800 in 128K with 20K fixed (P-067, N-32)', () => {
    expect(saturationTurn({ windowTokens: 128_000, fixedTokens: 20_000, turnTokens: 800 })).toBe(135)
    expect(saturationTurn({ windowTokens: 10_000, fixedTokens: 20_000, turnTokens: 800 })).toBe(0)
  })

  it('has no turn to be full at where turns have no size', () => {
    expect(() => saturationTurn({ windowTokens: 1, fixedTokens: 0, turnTokens: 0 })).toThrow('turnTokens')
  })

  it('holds as many turns as its budget, between 3 and 10 of a chat, 5 of an agent, none where calls stand alone (X-06, P-067)', () => {
    const of = (budgetTokens: number, policy = {}): number =>
      recentTurns({ budgetTokens, summaryTokens: 0, turnTokens: 800, policy })
    expect([100, 4000, 5599, 5600, 80_000].map((tokens) => of(tokens))).toEqual([3, 5, 6, 7, 10])
    expect([100, 4000, 80_000].map((tokens) => of(tokens, { preset: 'agent' }))).toEqual([3, 5, 5])
    expect([100, 80_000].map((tokens) => of(tokens, { preset: 'stateless' }))).toEqual([0, 0])
    expect(of(80_000, { recentTurns: 20 })).toBe(20)
  })

  it('pays for summaries before turns (B-69)', () => {
    const of = (summaryTokens: number): number =>
      recentTurns({ budgetTokens: 6400, summaryTokens, turnTokens: 800, policy: {} })
    expect([0, 800, 2400].map(of)).toEqual([8, 7, 5])
  })
})
