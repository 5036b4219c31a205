import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from '../../tokens/index.ts'
import { openSpending, worstUsd } from './spending.ts'

describe('the spending cap', () => {
  it('holds, whatever calls cost and however many are under way', async () => {
    const call = fc.record({
      worst: fc.double({ min: 0, max: 3, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), async (calls, workers) => {
        const spending = openSpending(5, 1)
        const left = [...calls]
        let paid = 1
        const work = async (): Promise<void> => {
          for (let next = left.shift(); next !== undefined; next = left.shift()) {
            const reservation = await spending.reserve(next.worst)
            expect(spending.committedUsd()).toBeLessThanOrEqual(5 + 1e-9)
            if (reservation === undefined) return
            await Promise.resolve()
            paid += next.worst * next.share
            reservation.settle(next.worst * next.share)
          }
        }
        await Promise.all(Array.from({ length: workers }, work))
        expect(paid).toBeLessThanOrEqual(5 + 1e-9)
        expect(spending.committedUsd()).toBeCloseTo(paid, 6)
      }),
    )
  })

  it('waits for calls under way before it says no', async () => {
    const spending = openSpending(1, 0)
    const first = await spending.reserve(0.9)
    const second = spending.reserve(0.5)
    first?.settle(0.1)
    expect(await second).toBeDefined()
    expect(await openSpending(1, 0.9).reserve(0.5)).toBeUndefined()
  })
})

it('the worst that a call can cost is above what it does cost, and unknown without prices', () => {
  const info = shippedCatalogue.info('claude-haiku-4-5')
  const { input = 0, output = 0 } = info.prices ?? {}
  expect(worstUsd(100_000, 1000, info)).toBeGreaterThan((1.5 * 100_000 * input + 1000 * output) / 1_000_000)
  expect(worstUsd(1, 1, shippedCatalogue.info('nobody-knows-this'))).toBeUndefined()
})
