import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecCases, codecProperties } from '../testing/index.ts'
import type { Draw } from '../testing/index.ts'
import { codecFor } from './index.ts'

// A taste; bench/fuzz-codecs.ts makes as many as one likes.
const runs = 100
const timeoutMs = 60_000

/** Chances that can be shrunk. */
const shrinking = (g: fc.GeneratorValue): Draw => ({
  whole: (most) => g(fc.nat, most),
  text: () => g(fc.string, { unit: 'binary', maxLength: 20 }),
})

describe.each(Object.entries(codecCases))('every %s body and reply', (dialect, cases) => {
  it.each(Object.entries(codecProperties))('%s', { timeout: timeoutMs }, (_, holds) => {
    let done = 0
    fc.assert(
      fc.property(fc.gen(), (g) => {
        done += 1
        holds(shrinking(g), codecFor(dialect), cases)
      }),
      { numRuns: runs },
    )
    expect(done).toBeGreaterThanOrEqual(runs)
  })
})
