import { describe, expect, it } from 'vitest'
import { isolationStrength } from './defense/index.ts'
import type { Isolation } from './defense/index.ts'
import { lowerEnd, passesForStructure, structuralAttacks } from './defense/structural-attacks.fixture.ts'
import { compile, evidence, input, words } from './compiler/compile-input.fixture.ts'
import { guarded } from './compiler/index.ts'
import { renderings } from './compiler/security/isolation.fixture.ts'

const attacks = structuralAttacks()

describe('isolation', () => {
  it.each(Object.entries(renderings))(
    'B-70, P-066: the strength of %s is that of the red-team texts',
    (name, render) => {
      const held = attacks.filter((attack) => !passesForStructure(render(attack))).length
      expect(attacks.length).toBeGreaterThanOrEqual(150)
      expect(lowerEnd(held, attacks.length)).toBe(isolationStrength[name as Isolation])
    },
  )

  it('the reader takes every bare attack but those in one plain sentence for structure, and plain text for none', () => {
    expect(attacks.filter(passesForStructure).length).toBeGreaterThan(0.8 * attacks.length)
    expect(passesForStructure('Plain words.\n- a list\n  indented\n> quoted: SYSTEM')).toBe(false)
  })

  it('P-083, N-26: between boundaries, or in quarantine, four fifths of untrusted tokens leave a surface of at most 0.10', () => {
    const items = [evidence('page', words(4000))]
    const budget = { windowTokens: 20_000 }
    const given = { items, budget, policy: guarded, boundary: { secret: 'k', session: 's' } }
    const { manifest } = compile(input(given))
    expect(4000 / manifest.packTokens).toBeGreaterThan(0.8)
    expect(manifest.security?.surface).toBeLessThanOrEqual(0.1)
    const { boundary: _, ...open } = given
    expect(compile(input(open)).manifest.security?.surface).toBeGreaterThan(0.1)
    const quoted = compile(input({ ...open, suspicions: { page: 1 } })).manifest.security
    expect(quoted?.findings).toHaveLength(1)
    expect(quoted?.surface).toBeLessThanOrEqual(0.1)
  })
})
