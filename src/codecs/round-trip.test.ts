import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { properties } from '../../bench/codec-properties.ts'
import { streamProperties } from '../../bench/codec-stream-properties.ts'
import { codecs } from './index.ts'

// A taste; bench/fuzz-codecs.ts makes as many as one likes.
const runs = 100
const timeoutMs = 60_000

describe.each(codecs)('every $dialect body and reply', (codec) => {
  it.each(Object.entries({ ...properties, ...streamProperties }))('%s', { timeout: timeoutMs }, (_, holds) => {
    let done = 0
    fc.assert(
      fc.property(fc.gen(), (g) => {
        done += 1
        holds(g, codec)
      }),
      { numRuns: runs },
    )
    expect(done).toBeGreaterThanOrEqual(runs)
  })
})
