import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decay, Item } from '../../core/index.ts'
import { decayOf, decayed, usualDecays } from './decay.ts'

const after = (decay: Decay, turns: number, unused = turns): number => decayed(decay, { turns, unused })

const item = (more: Partial<Item>): Item => ({ id: 'i', section: 'history', kind: 'text', text: 'So be it.', ...more })

describe('decay', () => {
  it('P-053: results of tools halve in 2.31 turns, corrections in 13.86', () => {
    const usual = { decay: 'usual' } as const
    const halfLife = (one: Item): number => Math.log(2) / (decayOf(one, usual)?.rate ?? 0)
    expect(halfLife(item({ kind: 'tool-result', role: 'tool' }))).toBeCloseTo(2.31, 2)
    expect(halfLife(item({ role: 'user', text: 'No, use the other port.' }))).toBeCloseTo(13.86, 2)
    expect(halfLife(item({ category: 'correction', kind: 'memory' }))).toBeCloseTo(13.86, 2)
    expect(decayOf(item({ role: 'user' }), usual)).toBeUndefined()
    expect(after(usualDecays['tool-result']!, Math.log(2) / 0.3)).toBeCloseTo(0.5, 10)
    expect(after(usualDecays['tool-result']!, 4)).toBeCloseTo(Math.exp(-1.2), 12)
  })

  it('P-053: a category goes before a kind, and a kind before what holds for all', () => {
    const decay = {
      usual: { model: 'exponential', rate: 0.01 },
      memory: { model: 'exponential', rate: 0.02 },
      gossip: { model: 'exponential', rate: 0.9 },
    } as const
    expect(decayOf(item({ kind: 'memory', category: 'gossip' }), { decay })?.rate).toBe(0.9)
    expect(decayOf(item({ kind: 'memory', category: 'fact' }), { decay })?.rate).toBe(0.02)
    expect(decayOf(item({}), { decay })?.rate).toBe(0.01)
    expect(decayOf(item({}), {})).toBeUndefined()
  })

  it('P-054: what was referred to within k turns keeps all of it, the rest a factor, whatever its age', () => {
    const decay = { model: 'reactivation', within: 3, otherwise: 0.1 } as const
    expect([0, 3, 4, 50].map((unused) => after(decay, 50, unused))).toEqual([1, 1, 0.1, 0.1])
  })

  it('P-055, B-54: a sigmoid is all at first, half after its half-life, and steep as it is told', () => {
    for (const [halfLife, steepness] of [
      [5, 1],
      [2, 0.1],
      [20, 3],
      [0.5, 8],
    ] as const) {
      const decay = { model: 'sigmoid', halfLife, steepness } as const
      expect(after(decay, 0)).toBe(1)
      expect(after(decay, halfLife)).toBeCloseTo(0.5, 10)
    }
    const at = (steepness: number): number => after({ model: 'sigmoid', halfLife: 10, steepness }, 9)
    expect(at(4)).toBeGreaterThan(at(0.5))
    expect(after({ model: 'sigmoid', halfLife: 5, steepness: 1 }, 8)).toBeCloseTo(
      1 / (1 + Math.expm1(8) / Math.expm1(5)),
      12,
    )
  })

  it('never rises, and stays between none and all, for any figures', () => {
    const decays = fc.oneof(
      fc.record({ model: fc.constant('exponential' as const), rate: fc.double({ min: 0, max: 1e6, noNaN: true }) }),
      fc.record({
        model: fc.constant('sigmoid' as const),
        halfLife: fc.double({ min: 0, max: 1e6, noNaN: true }),
        steepness: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(decays, fc.nat(1_000_000), fc.nat(1_000_000), (decay, one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)]
        expect(after(decay, early)).toBeGreaterThanOrEqual(after(decay, late))
        expect(after(decay, late)).toBeGreaterThanOrEqual(0)
        expect(after(decay, early)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
