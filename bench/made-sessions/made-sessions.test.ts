import { describe, expect, it } from 'vitest'
import { madeKinds, madeLines, madeTraces } from './made-sessions.ts'

describe.each(madeKinds)('made sessions: %s', (kind) => {
  it('are the same bytes each time, and none of one half stands in the other', () => {
    expect(madeLines(kind, 'built')).toBe(madeLines(kind, 'built'))
    const held = new Set(madeLines(kind, 'held-out').split('\n'))
    expect(
      madeLines(kind, 'built')
        .split('\n')
        .filter((line) => held.has(line)),
    ).toEqual([])
  })

  it('have needles in every session', () => {
    for (const { needles } of madeTraces(kind, 'held-out'))
      expect([...(needles?.values() ?? [])].flat().length).toBeGreaterThan(8)
  })
})
