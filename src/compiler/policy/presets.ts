import type { Policy, SectionShare } from '../../core/index.ts'
import { frozen } from '../../core/index.ts'
import { absoluteBudget } from '../budget/absolute-budget.ts'
import { remainderProfiles, remainderShares, usualFloors } from '../budget/floor-budget.ts'
import { gateway128k } from '../budget/gateway-128k.ts'
import { proportional } from '../budget/section-defaults.ts'
import { careful } from './profiles.ts'

/** Of all tools, so many are looked at. */
const searchedTools = 20

/** Slots of a window of 128,000 tokens; in another window they are as large, and the reserve is the same share of it. */
export const gateway128kPolicy: Policy = frozen({
  ...careful,
  id: 'gateway-128k',
  version: '1.0.0',
  shares: [...careful.shares, { section: 'enrichment', min: 0, max: 1, weight: 0.25 }],
  sections: (absoluteBudget(gateway128k).sections ?? []).map((bounds) =>
    bounds.section === 'tools' ? { ...bounds, maxCandidates: searchedTools } : bounds,
  ),
  reserveShare: gateway128k.outputTokens / gateway128k.windowTokens,
})

const floors: Readonly<Record<string, number>> = {
  policy: usualFloors.system,
  task: usualFloors.task,
  tools: usualFloors.tools,
}

const withFloors = (weights: Readonly<Record<string, number>>): readonly SectionShare[] =>
  careful.shares.map((share) => ({
    ...share,
    min: floors[share.section] ?? share.min,
    weight: weights[share.section] ?? share.weight,
  }))

/** Tiers 0 and 1 have floors, the others share the rest by their utilities. */
export const tiers: Policy = frozen({
  ...careful,
  id: 'tiers',
  version: '1.0.0',
  shares: withFloors({ evidence: 0.6, memory: 0.25, history: 0.15 }),
  reserveShare: usualFloors.slack,
})

/** The same floors; the rest in fixed proportions, one policy for each profile of tasks. */
export function floorPolicy(name: keyof typeof remainderProfiles): Policy {
  const { evidence, memory, conversation } = remainderShares(remainderProfiles[name])
  return frozen({
    ...careful,
    id: `floors-${name}`,
    version: '1.0.0',
    shares: withFloors({ evidence, memory, history: conversation }),
    sections: ['evidence', 'memory', 'history'].map((section) => ({ section, beta: proportional })),
    reserveShare: usualFloors.slack,
  })
}

/** Per cent of the window. */
interface Percentages {
  readonly tools: number
  readonly evidence: number
  readonly task: number
  readonly memory: number
  readonly reserve: number
}

const between: Percentages = { tools: 25, evidence: 30, task: 25, memory: 15, reserve: 5 }

const phases: Readonly<Record<string, Percentages>> = {
  planning: { tools: 20, evidence: 35, task: 20, memory: 20, reserve: 5 },
  executing: { tools: 40, evidence: 15, task: 25, memory: 15, reserve: 5 },
  reviewing: { tools: 15, evidence: 40, task: 25, memory: 15, reserve: 5 },
}

function fractionsOf(percentages: Percentages): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(percentages).map(([section, percent]) => [section, percent / 100]))
}

/** Shares of the window for each phase of an agent; the phase is found where nobody names it. */
export const agentPhasesPolicy: Policy = frozen({
  ...careful,
  id: 'agent-phases',
  version: '1.0.0',
  fractions: fractionsOf(between),
  reserveShare: between.reserve / 100,
  overrides: {
    agentPhase: Object.fromEntries(
      Object.entries(phases).map(([name, percentages]) => [name, { fractions: fractionsOf(percentages) }]),
    ),
  },
})
