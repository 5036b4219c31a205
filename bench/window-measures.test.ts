import { describe, expect, it } from 'vitest'
import { careful, compressionBands, policies } from '../src/compiler/index.ts'
import { uncompacted } from '../src/compiler/epochs/uncompacted.fixture.ts'
import type { Policy } from '../src/core/index.ts'
import { compressionMeasures } from './compression-measures.ts'
import { sessions } from './utilisation-cases.ts'
import { namedBand, packsOf, utilisationOf } from './utilisation-measures.ts'

/** Of an agent at work in the repository of the examples: 46 requests, of which the last holds 26,000 tokens. */
const cases = await sessions(new URL('../examples/session.jsonl', import.meta.url), 1)
/** A brief takes more at once than a band leaves room for. */
const shortening = uncompacted(careful)
const windows = [8_000, 10_000, 12_000, 16_000, 20_000]

describe('what a window is used for, on a recorded session', () => {
  it.each([undefined, 'ladder', 'step-pack'] as const)(
    'N-20: where more is asked for than there is, a policy that names the band uses 85 to 95% of it (relief: %s)',
    (relief) => {
      const policy: Policy = { ...shortening, id: 'band', pressure: namedBand, ...(relief && { relief }) }
      let [packs, within] = [0, 0]
      for (const windowTokens of windows) {
        const measured = utilisationOf(cases, policy, windowTokens)
        expect(measured.refused).toBe(0)
        expect(measured.shares.every((share) => share > 0.75 && share < 0.97)).toBe(true)
        packs += measured.packs
        within += measured.within
      }
      expect(packs).toBeGreaterThan(100)
      expect(within / packs).toBeGreaterThan(0.97)
    },
  )

  it('N-20: the policy that names none keeps room instead, says so in each receipt, and breaks its cache less often', () => {
    const breaks = (policy: Policy) =>
      [...packsOf(cases, policy, 10_000)].filter(({ packed }) => packed.manifest.epoch?.cause === 'pressure').length
    const usual = utilisationOf(cases, shortening, 10_000)
    expect(usual.below).toBeGreaterThan(0)
    expect(breaks(shortening)).toBeLessThan(breaks({ ...shortening, id: 'band', pressure: namedBand }))
  })

  it('G-029: the slots of gateway-128k take nothing of instructions and request, and no section more than its band allows', () => {
    const { sections, requestsChanged, refused } = compressionMeasures(cases, policies['gateway-128k'], 128_000)
    expect([requestsChanged, refused]).toEqual([0, 0])
    expect(sections['role']).toMatchObject({ packs: 46, meanRemoved: 0, mostShortened: 0 })
    expect(sections['history']?.above).toBe(0)
    expect(sections['history']?.meanRemoved).toBeGreaterThan(0)
    expect(sections['history']?.meanRemoved).toBeLessThanOrEqual(compressionBands.history[1])
  })
})
