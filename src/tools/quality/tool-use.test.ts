import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolUse } from './tool-use.ts'
import { afterRequest, qualityOf, unused } from './tool-use.ts'

const none: ReadonlyMap<string, ToolUse> = new Map()

describe('the use of tools (C-020)', () => {
  it('counts offers, calls and failures of a request once each', () => {
    const calls = [
      { id: 'a', isFailed: true },
      { id: 'a', isFailed: false },
    ]
    const uses = afterRequest(none, { query: 'send the mail', relevant: ['a', 'b', 'b'], calls })
    expect(uses.get('a')).toEqual({ id: 'a', offered: 1, called: 1, failed: 1, queries: ['send the mail'] })
    expect(uses.get('b')).toEqual({ id: 'b', offered: 1, called: 0, failed: 0, queries: [] })
  })

  it('leaves what was known before as it was', () => {
    const before = new Map([['a', unused('a')]])
    afterRequest(before, { query: 'send the mail', relevant: ['a'], calls: [] })
    expect(before).toEqual(new Map([['a', unused('a')]]))
  })

  it('learns no query from calls that all failed', () => {
    const uses = afterRequest(none, { query: 'send the mail', relevant: [], calls: [{ id: 'a', isFailed: true }] })
    expect(uses.get('a')?.queries).toEqual([])
  })

  it('weighs a tool that nothing is known of by 1, one that is never called by less, one that is called by more', () => {
    expect(qualityOf(unused('a'))).toBe(1)
    expect(qualityOf({ ...unused('a'), offered: 5 })).toBeCloseTo(10 / 15)
    expect(qualityOf({ ...unused('a'), offered: 20, called: 3 })).toBeCloseTo(4 / 30 / 0.1)
  })

  it('stays between 0.5 and 1.5, also where a tool is called that did not stand among the first', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (offered, called) => {
        const quality = qualityOf({ ...unused('a'), offered, called })
        expect(quality).toBeGreaterThanOrEqual(0.5)
        expect(quality).toBeLessThanOrEqual(1.5)
      }),
    )
    expect(qualityOf({ ...unused('a'), offered: 1e6 })).toBe(0.5)
    expect(qualityOf({ ...unused('a'), called: 1e6 })).toBe(1.5)
  })
})
