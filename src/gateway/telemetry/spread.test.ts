import { Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { spread } from './spread.ts'

describe('spread', () => {
  it('is shown as a histogram of the registry is, before the first value and after any', async () => {
    const about = { name: 'wait_seconds', help: 'Time waited.' }
    const bounds = [0.01, 0.05, 1]
    const theirs = new Registry()
    const ours = new Registry()
    const histogram = new Histogram({ ...about, buckets: bounds, registers: [theirs] })
    const own = spread({ ...about, bounds, registry: ours })
    for (const value of [undefined, 0, 0.01, 0.03, 0.7, 1, 5]) {
      if (value !== undefined) {
        histogram.observe(value)
        own.observe(value)
      }
      expect(await ours.metrics()).toBe(await theirs.metrics())
    }
  })
})
