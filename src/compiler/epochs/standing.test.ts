import { describe, expect, it } from 'vitest'
import { careful } from '../policy/policies.ts'
import { canBear } from './standing.ts'
import type { Standing } from './standing.ts'

const figures: Standing = {
  totalTokens: 1000,
  cachedTokens: 900,
  readableTokens: () => 0,
  free: false,
  turns: 3,
  turnsLeft: 10,
  regret: 0,
  passThrough: 1000,
  credit: 300,
  tenantCredit: Infinity,
  holdCost: 100,
  reserve: 0,
}

describe('canBear', () => {
  const mostCost = (tenantCredit: number, mayOwe: number): number => {
    const costs = Array.from({ length: 1000 }, (_, cost) => cost)
    return Math.max(...costs.filter((cost) => canBear(cost, mayOwe, careful.epochs, { ...figures, tenantCredit })))
  }

  it('spends what the session has saved, and borrows what the policy allows', () => {
    expect([mostCost(Infinity, 0), mostCost(Infinity, 50)]).toEqual([300, 350])
  })

  it('borrows no more than the other sessions of the tenant have saved', () => {
    expect([mostCost(20, 50), mostCost(0, 50), mostCost(80, 50)]).toEqual([320, 300, 350])
  })

  it('leaves in the account what other sessions owe', () => {
    expect(mostCost(-40, 50)).toBe(260)
  })
})
