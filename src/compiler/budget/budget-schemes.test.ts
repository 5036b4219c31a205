import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BudgetRequest, SectionBudget } from '../../core/index.ts'
import { isPrehendError, unify, vocabularies } from '../../core/index.ts'
import { careful } from '../policy/policies.ts'
import { allocate } from '../solvers/allocate.ts'
import { absoluteBudget } from './absolute-budget.ts'
import type { AnySlot } from './absolute-budget.ts'
import { apportion } from './apportion.ts'
import { floorBudget, remainderProfiles, remainderShares, usualFloors } from './floor-budget.ts'
import { gateway128k } from './gateway-128k.ts'
import { fractionBudget } from './fraction-budget.ts'
import { phaseBudget } from './phase-budget.ts'
import { availableTokens, budgetResolver } from './resolve-budget.ts'
import { shareBudget } from './share-budget.ts'
import { signalWeights } from './signal-weights.ts'
import { tierBudget } from './tier-budget.ts'

const resolveBudget = budgetResolver()
const fieldOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (isPrehendError(error) && 'field' in error.data) return error.data.field
    throw error
  }
  return 'nothing thrown'
}

const resolved = (request: BudgetRequest, present: readonly string[] = []) =>
  resolveBudget({ request, policy: { ...careful, reserveShare: 0 }, present, signals: signalWeights() })

const maxima = ({ sections = [] }: BudgetRequest): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(sections.map(({ section, max }) => [section, max]))

describe('apportion', () => {
  it('A-048: conserves every token, and nobody is further than one token from the exact share', () => {
    const weights = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 1_000_000 }), (shares, total) => {
        const sum = shares.reduce((all, share) => all + share, 0)
        fc.pre(sum > 1e-6)
        const tokens = apportion(total, shares)
        expect(tokens.reduce((all, count) => all + count, 0)).toBe(total)
        const distances = tokens.map((count, index) => Math.abs(count - (total * shares[index]!) / sum))
        expect(Math.max(...distances)).toBeLessThan(1 + 1e-6)
      }),
    )
  })
})

describe('budget schemes', () => {
  it('G-030, X-14: the slots of gateway-128k sum to exactly 100,000 and leave 28,000', () => {
    const budget = resolved(absoluteBudget(gateway128k))
    expect(gateway128k.slots.reduce((sum, { maxTokens }) => sum + maxTokens, 0)).toBe(100_000)
    expect(budget.reserveTokens).toBe(28_000)
    expect(availableTokens(budget)).toBe(100_000)
  })

  it('G-030: the defaults in normal form: 12 tools, 10 memories, 8 results, 10 turns, 2,000 tokens for older ones', () => {
    const sections = Object.fromEntries((absoluteBudget(gateway128k).sections ?? []).map((one) => [one.section, one]))
    expect(sections).toMatchObject({
      policy: { max: 2_000 },
      role: { max: 2_000 },
      tools: { max: 8_000, maxItems: 12 },
      memory: { max: 3_000, maxItems: 10 },
      evidence: { max: 15_000, maxItems: 8 },
      enrichment: { max: 2_000, mostRemoved: 0 },
      history: { max: 60_000, recentTurns: 10, olderTokens: 2_000 },
      query: { max: 8_000 },
    })
  })

  it('G-028: slots that do not fit beside the output, and slots that make no sense, are refused by name', () => {
    expect(fieldOf(() => absoluteBudget({ ...gateway128k, outputTokens: 28_001 }))).toBe('slots')
    const slot = (own: AnySlot) => () => absoluteBudget({ windowTokens: 9_000, outputTokens: 0, slots: [own] })
    expect(fieldOf(slot({ section: 'evidence', maxTokens: 1.5 }))).toBe('slots[0].maxTokens')
    expect(fieldOf(slot({ section: 'tools', maxTokens: 1, maxTools: -1 }))).toBe('slots[0].maxTools')
    expect(fieldOf(slot({ section: 'memory', maxTokens: 1, topK: 0.5 }))).toBe('slots[0].topK')
    const history = { section: 'history', maxTokens: 9, recentVerbatimTurns: 1, olderSummaryTokens: 9 } as const
    expect(fieldOf(slot({ ...history, recentVerbatimTurns: Number.NaN }))).toBe('slots[0].recentVerbatimTurns')
    expect(fieldOf(slot({ ...history, olderSummaryTokens: 10 }))).toBe('slots[0].olderSummaryTokens')
    expect(fieldOf(slot({ section: 'memory', maxTokens: 1, tolerance: [0.5, 0.2] }))).toBe('slots[0].tolerance')
    const eager = { section: 'memory', maxTokens: 1, tolerance: [0.1, 0.2], removedRatio: 0.3 } as const
    expect(fieldOf(slot(eager))).toBe('slots[0].removedRatio')
    expect(fieldOf(slot(history))).toBe('nothing thrown')
  })

  it('V-016, B-12: fractions that sum to 0.99 share the whole soft budget', () => {
    const categories = {
      Invariants: 0.15,
      Strategy: 0.1,
      Playbook: 0.15,
      Episodes: 0.12,
      Insights: 0.1,
      CausalEdges: 0.08,
      Contrarian: 0.04,
      DreamHypotheses: 0.03,
      ToolState: 0.03,
      DefiSnapshot: 0.08,
      Mortality: 0.04,
      Affect: 0.03,
      OwnerControl: 0.04,
    } as const
    const fractions: Record<string, number> = {}
    for (const [category, fraction] of Object.entries(categories)) {
      const { section } = unify('governor', category as keyof typeof categories)
      fractions[section] = (fractions[section] ?? 0) + fraction
    }
    const request = fractionBudget({ windowTokens: 100_000, softTokens: 8_000, fractions })
    expect(Object.values(maxima(request)).reduce((sum: number, max) => sum + (max ?? 0), 0)).toBe(8_000)
    expect(maxima(request)).toMatchObject({ evidence: Math.round((8_000 * 0.3) / 0.99), memory: 2_424 })
    expect(Object.keys(vocabularies.governor)).toEqual(expect.arrayContaining(Object.keys(categories)))
  })

  it('V-016: refuses fractions that are none, and soft budgets larger than the window', () => {
    const base = { windowTokens: 1_000, softTokens: 500 }
    expect(fieldOf(() => fractionBudget({ ...base, fractions: { evidence: 1.2 } }))).toBe('fractions.evidence')
    expect(fieldOf(() => fractionBudget({ ...base, fractions: { evidence: 0 } }))).toBe('fractions')
    expect(fieldOf(() => fractionBudget({ ...base, softTokens: 2_000, fractions: { evidence: 1 } }))).toBe('softTokens')
  })

  it('C-018, B-39: phase percentages are brought to 100, and the reserved share is kept free', () => {
    const phases = { executing: { tools: 40, evidence: 15, task: 25, memory: 15, reserve: 5 } }
    const request = phaseBudget({ windowTokens: 10_000, phase: 'executing', phases })
    expect(request.maxOutputTokens).toBe(500)
    expect(maxima(request)).toEqual({ tools: 4_000, evidence: 1_500, task: 2_500, memory: 1_500 })
    const overrides = { executing: { evidence: 65 } }
    const changed = phaseBudget({ windowTokens: 15_000, phase: 'executing', phases, overrides })
    expect(maxima(changed)).toEqual({ tools: 4_000, evidence: 6_500, task: 2_500, memory: 1_500 })
  })

  it('X-35: zero removes a section, or stands for the default where an import says so', () => {
    const phases = { planning: { evidence: 50, memory: 50 } }
    const options = { windowTokens: 1_000, phase: 'planning', phases, overrides: { planning: { memory: 0 } } }
    expect(maxima(phaseBudget(options))).toEqual({ evidence: 1_000, memory: 0 })
    expect(maxima(phaseBudget({ ...options, zeroMeansDefault: true }))).toEqual({ evidence: 500, memory: 500 })
    expect(fieldOf(() => phaseBudget({ ...options, phase: 'resting' }))).toBe('phase')
    const negative = { planning: { evidence: -1 } }
    expect(fieldOf(() => phaseBudget({ ...options, phases: negative }))).toBe('phases.planning.evidence')
  })

  it('P-004: tiers with utilities are checked', () => {
    const section = (changes: Partial<SectionBudget>): SectionBudget => ({
      section: 'evidence',
      tier: 2,
      min: 10,
      max: 100,
      weight: 0.5,
      alpha: 1,
      beta: 5,
      base: 1,
      cost: 1,
      ...changes,
    })
    const budget = (...sections: readonly SectionBudget[]) =>
      tierBudget({ windowTokens: 1_000, outputTokens: 100, sections })
    expect(budget(section({})).sections).toHaveLength(1)
    expect(fieldOf(() => budget(section({ min: 200 })))).toBe('sections[0].min')
    expect(fieldOf(() => budget(section({ weight: 1.1 })))).toBe('sections[0].weight')
    expect(fieldOf(() => budget(section({ alpha: 0 })))).toBe('sections[0].alpha')
    expect(fieldOf(() => budget(section({ beta: 0 })))).toBe('sections[0].beta')
    expect(fieldOf(() => budget(section({}), section({})))).toBe('sections[1].section')
    expect(fieldOf(() => budget(section({ min: 950, max: 950 })))).toBe('sections')
  })

  it('A-051: floors outside of their ranges are refused by name', () => {
    const profile = remainderProfiles.research
    expect(fieldOf(() => floorBudget({ windowTokens: 1_000, profile, floors: { ...usualFloors, tools: 0.2 } }))).toBe(
      'floors.tools',
    )
    expect(floorBudget({ windowTokens: 100_000, profile }).maxOutputTokens).toBe(10_000)
  })

  it('A-024, B-58: shares of a window that sum to 110% are refused, those of 100% are its budget', () => {
    const sample = { policy: 0.06, task: 0.08, tools: 0.05, evidence: 0.5, memory: 0.22, history: 0.09, reserve: 0.1 }
    expect(fieldOf(() => shareBudget({ windowTokens: 1_000, shares: sample }))).toBe('shares')
    const request = shareBudget({ windowTokens: 1_000, shares: { ...sample, evidence: 0.4 } })
    expect(request.maxOutputTokens).toBe(100)
    expect(maxima(request)).toEqual({ policy: 60, task: 80, tools: 50, evidence: 400, memory: 220, history: 90 })
    expect(fieldOf(() => shareBudget({ windowTokens: 1_000, shares: { evidence: 1.5 } }))).toBe('shares.evidence')
  })

  it('A-052, B-59: the middles of every profile, brought to a sum of 1, stay within their ranges', () => {
    for (const profile of Object.values(remainderProfiles)) {
      const shares = remainderShares(profile)
      expect(shares.evidence + shares.memory + shares.conversation).toBeCloseTo(1, 12)
      for (const name of ['evidence', 'memory', 'conversation'] as const) {
        expect(shares[name]).toBeGreaterThanOrEqual(profile[name][0] - 1e-12)
        expect(shares[name]).toBeLessThanOrEqual(profile[name][1] + 1e-12)
      }
    }
    const impossible = { evidence: [0.1, 0.2], memory: [0.1, 0.2], conversation: [0.1, 0.2] } as const
    expect(fieldOf(() => remainderShares(impossible))).toBe('profile')
  })

  it('A-048, N-30: what the floors leave is shared by weight, exactly', () => {
    const request = floorBudget({ windowTokens: 100_000, profile: remainderProfiles.requirements })
    const elastic = resolved(request).sections.filter(({ tier }) => tier >= 2 && tier <= 4)
    const sections = elastic
      .filter(({ section }) => section !== 'situation')
      .map((section) => ({ ...section, demand: 1_000_000, base: 1 }))
    const { allocations } = allocate({ sections, elasticTokens: 71_000, costSensitivity: 0 })
    const shares = remainderShares(remainderProfiles.requirements)
    const tokens = Object.fromEntries(allocations.map(({ section, tokens: granted }) => [section, granted]))
    expect(Object.values(tokens).reduce((sum, granted) => sum + granted, 0)).toBe(71_000)
    expect(tokens['evidence']).toBeCloseTo(71_000 * shares.evidence, -1)
    expect(tokens['history']).toBeCloseTo(71_000 * shares.conversation, -1)
  })

  it('P-003, A-005: the reserve is at least what was asked for and at least the policy share', () => {
    const reserve = (maxOutputTokens: number | undefined) =>
      resolveBudget({
        request: { windowTokens: 10_000, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) },
        policy: careful,
        present: [],
        signals: signalWeights(),
      }).reserveTokens
    expect([reserve(undefined), reserve(200), reserve(4_000)]).toEqual([1_000, 1_000, 4_000])
  })
})
