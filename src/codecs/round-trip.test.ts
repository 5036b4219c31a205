import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { properties } from '../../bench/codec-properties.ts'
import { streamProperties } from '../../bench/codec-stream-properties.ts'
import { codecs } from './index.ts'

describe.each(codecs)('every $dialect body and reply', (codec) => {
  it.each(Object.entries({ ...properties, ...streamProperties }))('%s', (_, holds) => {
    let runs = 0
    fc.assert(
      fc.property(fc.gen(), (g) => {
        runs += 1
        holds(g, codec)
      }),
      { numRuns: 300 },
    )
    expect(runs).toBeGreaterThanOrEqual(300)
  })
})
