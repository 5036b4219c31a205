import type { AffectRule, LifecyclePhase, Policy, PolicyOverrides, TurnPhase } from '../../core/index.ts'
import { createVocabulary, frozen } from '../../core/index.ts'
import { careful } from './profiles.ts'

/**
 * Thirteen categories of an agent's working memory, and the sections that they are here. What is never compressed stands in
 * sections that are not either; every other category is a section of its own, so that one can be shut out without the rest.
 */
export const governorSections = createVocabulary({
  Invariants: 'policy',
  Strategy: { section: 'Strategy', tier: 2 },
  Playbook: { section: 'Playbook', tier: 3 },
  Episodes: { section: 'Episodes', tier: 3 },
  Insights: { section: 'Insights', tier: 2 },
  CausalEdges: { section: 'CausalEdges', tier: 2 },
  Contrarian: { section: 'Contrarian', tier: 2 },
  DreamHypotheses: { section: 'DreamHypotheses', tier: 3 },
  ToolState: { section: 'ToolState', tier: 2 },
  DefiSnapshot: { section: 'DefiSnapshot', tier: 2 },
  Mortality: { section: 'Mortality', tier: 3 },
  Affect: { section: 'Affect', tier: 3 },
  OwnerControl: 'role',
})

type Category = Parameters<typeof governorSections.unify>[0]
type Figures = Readonly<Partial<Record<Category, number>>>

/** Figures by category as figures by section. */
function bySection(figures: Figures): Readonly<Record<string, number>> {
  const entries = Object.entries(figures) as [Category, number][]
  return Object.fromEntries(entries.map(([category, figure]) => [governorSections.unify(category).section, figure]))
}

/** Shares of 8,000 tokens; they sum to 0.99. */
const fractions = bySection({
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
})

const regimes: Readonly<Record<string, Figures>> = {
  Volatile: { DefiSnapshot: 0.1, Episodes: 0.08, Contrarian: 0.02 },
  BearHighVol: { Mortality: 0.06, Contrarian: 0.01, DreamHypotheses: 0.01 },
}

/** Without a line, as while it thrives, the base holds; the last one is of another kind. */
const byLifecycle: Readonly<Partial<Record<LifecyclePhase, Figures>>> = {
  Conservation: { Mortality: 0.06, Episodes: 0.06, Contrarian: 0.01, DreamHypotheses: 0 },
  Declining: {
    Mortality: 0.08,
    Invariants: 0.2,
    Episodes: 0.04,
    Insights: 0.04,
    Contrarian: 0,
    DreamHypotheses: 0,
    Affect: 0,
  },
}

const factor = (
  [invariants, strategy, playbook, episodes, insights, causal, contrarian]: readonly number[],
  [dream, toolState, snapshot, mortality, affect, owner]: readonly number[],
): Readonly<Record<string, number>> =>
  bySection({
    Invariants: invariants ?? 1,
    Strategy: strategy ?? 1,
    Playbook: playbook ?? 1,
    Episodes: episodes ?? 1,
    Insights: insights ?? 1,
    CausalEdges: causal ?? 1,
    Contrarian: contrarian ?? 1,
    DreamHypotheses: dream ?? 1,
    ToolState: toolState ?? 1,
    DefiSnapshot: snapshot ?? 1,
    Mortality: mortality ?? 1,
    Affect: affect ?? 1,
    OwnerControl: owner ?? 1,
  })

/** In the order of the categories; those of what is never compressed are told and do nothing. */
const turnPhase: Readonly<Record<TurnPhase, Readonly<Record<string, number>>>> = {
  analyze: factor([1, 0.8, 1.5, 0.8, 0.8, 0.6, 0.4], [0.3, 0.8, 1.3, 0.6, 0.4, 1]),
  decide: factor([1, 1, 0.8, 1.4, 1.2, 1.3, 0.8], [0.5, 0.5, 0.8, 0.8, 0.6, 1]),
  execute: factor([1, 0.5, 0.3, 0.3, 0.3, 0.2, 0], [0, 1.5, 0.5, 0.3, 0, 1]),
  reflect: factor([0.5, 0.5, 0.8, 1, 1, 1, 1.2], [0.8, 0.3, 0.3, 0.5, 1, 0.5]),
}

const affect: readonly AffectRule[] = [
  {
    when: { pleasure: { below: -0.3 }, arousal: { above: 0.3 } },
    shift: { Contrarian: 0.02, Episodes: -0.01, Playbook: -0.01 },
  },
  { when: { dominance: { below: -0.2 } }, shift: { Playbook: 0.02, DreamHypotheses: -0.01, Contrarian: -0.01 } },
  {
    when: { pleasure: { above: 0.5 }, arousal: { below: -0.2 } },
    shift: { Contrarian: 0.015, Affect: -0.015 },
  },
  { when: { pleasure: { below: 0 } }, minTokens: { Contrarian: 200 } },
]

const named = (table: Readonly<Record<string, Figures>>): NonNullable<PolicyOverrides['regime']> =>
  Object.fromEntries(Object.entries(table).map(([name, figures]) => [name, { fractions: bySection(figures) }]))

/** Shares of thirteen categories that follow the phase of an agent's life, the regime of its market, its affect and the turn. */
export const governor: Policy = frozen({
  ...careful,
  id: 'governor',
  version: '1.0.0',
  sections: governorSections.ownSections,
  softTokens: 8000,
  fractions,
  overrides: {
    lifecyclePhase: {
      ...named(byLifecycle),
      Terminal: { exclusive: true, fractions: bySection({ Invariants: 0.3, Mortality: 0.1 }) },
    },
    regime: named(regimes),
    affect,
    affectFloor: 0.01,
    turnPhase,
    safety: ['policy', 'role', 'Mortality'],
  },
})
