import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Policy } from '../core/index.ts'
import { aboutPolicies, policies } from './policy/policies.ts'
import { evidence, memory, newCompiler, turn, words } from './word-tokens.fixture.ts'

const compile = (policy: Policy, changes: Partial<CompileInput> = {}) =>
  newCompiler().compile({
    items: [],
    policy,
    layout: 'payload',
    frame: { request: 'Go on.' },
    budget: { windowTokens: 128_000 },
    ...changes,
  })

const budgetOf = (id: string, changes: Partial<CompileInput> = {}) => {
  const { budget } = compile(policies[id]!, changes)
  return { ...budget, of: Object.fromEntries(budget.sections.map((section) => [section.section, section])) }
}

describe('budgets by name', () => {
  it('each is told of in a line', () => {
    expect(Object.keys(aboutPolicies)).toEqual(Object.keys(policies))
  })

  it('G-030, X-13: gateway-128k is its slots in normal form, and 28,000 for the output', () => {
    const { reserveTokens, of } = budgetOf('gateway-128k')
    expect(reserveTokens).toBe(28_000)
    expect(of).toMatchObject({
      policy: { max: 2000 },
      tools: { max: 8000, maxItems: 12 },
      memory: { max: 3000, maxItems: 10 },
      evidence: { max: 15_000, maxItems: 8 },
      enrichment: { max: 2000, mostRemoved: 0 },
      history: { max: 60_000, recentTurns: 10, olderTokens: 2000 },
      query: { max: 8000 },
    })
    const items = Array.from({ length: 20 }, (_, index) =>
      evidence(`e${index}`, 1000, { scores: { relevance: index / 20 } }),
    )
    const shown = compile(policies['gateway-128k'], { items }).manifest.sections.find(
      ({ section }) => section === 'evidence',
    )
    expect(shown).toMatchObject({ included: 8, excluded: 12 })
  })

  it.each(Object.keys(policies))('X-13: %s comes to one normal form, and not a token is lost or made', (id) => {
    const frame = { step: 'Find the cause.', acceptance: ['Cite it.'], request: 'Why?' }
    const make = (kind: (name: string, tokens: number) => Item, count: number) =>
      Array.from({ length: count }, (_, index) => kind(`${kind.name}${index}x`, 20 + ((index * 37) % 90)))
    const rule: Item = { id: 'p', section: 'policy', kind: 'instruction', text: 'Never push.' }
    const items = [rule, ...make(evidence, 40), ...make(memory, 20), ...make(turn, 20)]
    for (const windowTokens of [1_500, 3_001, 7_919, 128_000]) {
      const { manifest, budget, pack } = compile(policies[id]!, { items, frame, budget: { windowTokens } })
      for (const { tier, min, max, ...utility } of budget.sections) {
        expect([tier, min, max].every(Number.isSafeInteger)).toBe(true)
        expect(min).toBeLessThanOrEqual(max)
        for (const figure of ['weight', 'alpha', 'beta', 'base', 'cost'] as const)
          expect(utility[figure]).toBeGreaterThanOrEqual(0)
      }
      if (pack === undefined) continue
      const sum = (of: (section: (typeof manifest.sections)[number]) => number) =>
        manifest.sections.reduce((total, section) => total + of(section), 0)
      expect(sum(({ usedTokens }) => usedTokens) + (manifest.frameTokens ?? 0)).toBe(pack.tokens)
      expect(sum(({ allocatedTokens }) => allocatedTokens)).toBeLessThanOrEqual(windowTokens - budget.reserveTokens)
      expect(pack.tokens).toBeLessThanOrEqual(windowTokens - budget.reserveTokens)
      for (const { usedTokens, allocatedTokens } of manifest.sections)
        expect(usedTokens).toBeLessThanOrEqual(allocatedTokens)
    }
  })

  it('A-051: tiers has the floors of its tiers, as shares of any window', () => {
    for (const windowTokens of [10_000, 200_000]) {
      const { of, reserveTokens } = budgetOf('tiers', { budget: { windowTokens } })
      expect([of['policy']!.min, of['task']!.min, of['tools']!.min, reserveTokens]).toEqual(
        [0.06, 0.08, 0.05, 0.1].map((share) => Math.floor(share * windowTokens + 1e-6)),
      )
    }
  })

  it.each([
    ['floors-research', [0.55, 0.65], [0.2, 0.25], [0.1, 0.15]],
    ['floors-requirements', [0.45, 0.55], [0.25, 0.3], [0.15, 0.2]],
    ['floors-test-cases', [0.5, 0.6], [0.2, 0.25], [0.1, 0.15]],
  ])('A-052: %s shares what the floors leave in its proportions', (id, ...ranges) => {
    const many = (make: (id: string, tokens: number) => Item) =>
      Array.from({ length: 200 }, (_, index) => make(`${make.name}${index}x`, 100))
    const { manifest } = compile(policies[id]!, {
      items: [...many(evidence), ...many(memory), ...many(turn)],
      budget: { windowTokens: 10_000 },
    })
    const granted = ['evidence', 'memory', 'history'].map(
      (name) => manifest.sections.find(({ section }) => section === name)!.allocatedTokens,
    )
    const all = granted.reduce((sum, tokens) => sum + tokens, 0)
    for (const [index, [low, high]] of ranges.entries()) {
      expect(granted[index]! / all).toBeGreaterThanOrEqual(low! - 0.01)
      expect(granted[index]! / all).toBeLessThanOrEqual(high! + 0.01)
    }
  })

  it('C-003, C-018: agent-phases gives each phase its percentages of the window, and keeps the reserve free', () => {
    const inPhase = (agentPhase: string) =>
      budgetOf('agent-phases', { budget: { windowTokens: 10_000 }, situation: { agentPhase } })
    const executing = inPhase('executing')
    expect(executing.reserveTokens).toBe(500)
    // Nothing stands whole here, so what the task does not take is shared by the others.
    expect(executing.of['tools']!.max / executing.of['evidence']!.max).toBeCloseTo(40 / 15, 2)
    const planning = inPhase('planning')
    expect(planning.of['evidence']!.max / planning.of['tools']!.max).toBeCloseTo(35 / 20, 2)
  })
})

/** What an assistant for a town's library has at hand, of uneven worth. */
const atHand: readonly Item[] = [
  evidence('hours', 60, { scores: { relevance: 0.9 } }),
  evidence('fees', 80, { scores: { relevance: 0.5 } }),
  evidence('history-of-the-house', 200, { scores: { relevance: 0.2 } }),
  memory('last-visit', 40, { scores: { relevance: 0.25 } }),
  memory('likes', 40, { scores: { relevance: 0.6 } }),
  { ...turn('asked', 30), text: words('asked', 30) },
]

describe('quality first and cost first', () => {
  const of = (id: string, windowTokens: number) => {
    const { manifest, pack, outcome } = compile(policies[id]!, { items: atHand, budget: { windowTokens } })
    return {
      outcome: outcome.kind,
      tokens: pack?.tokens,
      shown: manifest.decisions.filter(({ rung }) => rung !== 'omitted'),
    }
  }

  it('A-066: where there is room, quality sends all of it, cost only what is worth its tokens', () => {
    const quality = of('quality-first', 4000)
    const cost = of('cost-first', 4000)
    expect(quality.shown.map(({ itemId }) => itemId)).toEqual(atHand.map(({ id }) => id))
    expect(cost.shown.map(({ itemId }) => itemId)).toEqual(['hours', 'fees', 'likes', 'asked'])
    expect(cost.tokens).toBeLessThan(quality.tokens!)
  })

  it('A-066: where there is none, quality sends nothing, cost what fits', () => {
    expect(of('quality-first', 400)).toMatchObject({ outcome: 'budget-exhausted', tokens: undefined })
    expect(of('cost-first', 400).outcome).toBe('ok')
    expect(of('cost-first', 400).tokens).toBeGreaterThan(0)
  })
})
