import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oraclePlan } from './oracle-plan.ts'
import type { OracleEpoch, OracleItem } from './oracle-plan.ts'

const read = 0.1

/** What sending a session with these epochs costs, request by request. */
function sent(items: readonly OracleItem[], requests: number, epochs: readonly OracleEpoch[]): number {
  const shown = items.map(({ tokens }) => tokens)
  let cost = 0
  for (let request = 0; request < requests; request++) {
    const epoch = epochs.find((one) => one.request === request)
    for (const [index, { arrives, least }] of items.entries()) {
      if (arrives > request) continue
      if (epoch !== undefined && index >= epoch.from) shown[index] = least(request)
      const isNew = arrives === request || (epoch !== undefined && index >= epoch.from)
      cost += (isNew ? 1 : read) * (shown[index] ?? 0)
    }
  }
  return cost
}

const session = fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 90 }), free: fc.nat(6), rest: fc.nat(20) }), {
  minLength: 1,
  maxLength: 5,
})

describe('oraclePlan', () => {
  it('costs what its epochs come to, and no choice of two epochs is cheaper', () => {
    fc.assert(
      fc.property(session, fc.integer({ min: 1, max: 4 }), (made, more) => {
        const items = made.map(({ tokens, free, rest }, arrives) => ({
          arrives,
          tokens,
          least: (request: number) => (request > arrives + free ? Math.min(tokens, rest) : tokens),
        }))
        const requests = items.length + more
        const plan = oraclePlan({ items, requests, read })
        expect(plan.cost).toBeCloseTo(sent(items, requests, plan.epochs), 6)
        for (let request = 1; request < requests; request++)
          for (let from = 0; from < items.length; from++)
            for (let later = request; later < requests; later++) {
              const epochs = [
                { request, from },
                { request: later, from: Math.min(items.length - 1, from + 1) },
              ]
              const all = later === request ? epochs.slice(0, 1) : epochs
              expect(plan.cost).toBeLessThanOrEqual(sent(items, requests, all) + 1e-6)
            }
      }),
    )
  })

  it('rewrites as soon as a result is no longer needed and the session goes on for long', () => {
    const items = [{ arrives: 0, tokens: 1000, least: (request: number) => (request > 3 ? 0 : 1000) }]
    expect(oraclePlan({ items, requests: 40, read }).epochs).toEqual([{ request: 4, from: 0 }])
    expect(oraclePlan({ items, requests: 4, read }).epochs).toEqual([])
  })
})
