import type {
  Budget,
  CompileInput,
  EpochRecord,
  Manifest,
  ManifestDecision,
  ManifestSection,
  Outcome,
  Section,
  TruncationEvent,
} from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'

export interface ManifestParts {
  readonly input: CompileInput
  readonly inputHash: string
  readonly packHash: string
  readonly tokenizerId: string
  readonly outcome: Outcome
  readonly budget: Budget
  readonly originalTokens: number
  readonly packTokens: number
  readonly frameTokens: number
  readonly shadowPrice?: number
  readonly signals: Readonly<Record<string, number>>
  readonly sections: readonly ManifestSection[]
  readonly decisions: readonly ManifestDecision[]
  readonly epoch?: EpochRecord
  readonly evidenceNeeded?: boolean
}

/** The receipt of one compile. */
export function buildManifest(parts: ManifestParts): Manifest {
  const { input, budget, decisions } = parts
  const available = availableTokens(budget) + budget.overheadTokens
  return {
    schema: 'prehend.manifest/1',
    packHash: parts.packHash,
    inputHash: parts.inputHash,
    policyId: input.policy.id,
    policyVersion: input.policy.version,
    overflow: input.policy.overflow,
    tokenizerId: parts.tokenizerId,
    ...(input.model === undefined ? {} : { model: input.model }),
    layout: input.layout,
    outcome: parts.outcome.kind,
    windowTokens: budget.windowTokens,
    reserveTokens: budget.reserveTokens,
    overheadTokens: budget.overheadTokens,
    frameTokens: parts.frameTokens,
    originalTokens: parts.originalTokens,
    packTokens: parts.packTokens,
    utilisation: available > 0 ? (parts.packTokens + budget.overheadTokens) / available : 0,
    ...(parts.shadowPrice === undefined ? {} : { shadowPrice: parts.shadowPrice }),
    signals: parts.signals,
    sections: parts.sections,
    decisions,
    truncations: truncationsOf(decisions),
    ...(parts.epoch === undefined ? {} : { epoch: parts.epoch }),
    ...(parts.evidenceNeeded === true ? { evidenceNeeded: true } : {}),
  }
}

/** What was shortened or left out, by section, reason and rung. */
export function truncationsOf(decisions: readonly ManifestDecision[]): readonly TruncationEvent[] {
  const events = new Map<string, { section: Section; event: TruncationEvent; ids: string[]; removed: number }>()
  for (const decision of decisions) {
    const { section, reason, rung, itemId, originalTokens, tokens } = decision
    if (rung === 'full' || rung === 'lossless') continue
    const key = `${rung} ${reason} ${section}`
    let group = events.get(key)
    if (group === undefined) {
      const event = { section, reason, rung, itemIds: [], removedTokens: 0 }
      group = { section, event, ids: [], removed: 0 }
      events.set(key, group)
    }
    group.ids.push(itemId)
    group.removed += originalTokens - tokens
  }
  return [...events.values()].map(({ event, ids, removed }) => ({ ...event, itemIds: ids, removedTokens: removed }))
}

export interface SectionUse {
  readonly section: Section
  readonly allocatedTokens: number
  readonly demandTokens: number
}

/** One entry per section of the budget, used tokens counted from the decisions (V-005). */
export function manifestSections(
  budget: Budget,
  uses: readonly SectionUse[],
  decisions: readonly ManifestDecision[],
): readonly ManifestSection[] {
  const counts = new Map<Section, { used: number; included: number; excluded: number }>()
  for (const { section, rung, tokens } of decisions) {
    const count = counts.get(section) ?? { used: 0, included: 0, excluded: 0 }
    count.used += tokens
    if (rung === 'omitted') count.excluded += 1
    else count.included += 1
    counts.set(section, count)
  }
  const useOf = new Map(uses.map((use) => [use.section, use]))
  return budget.sections.map(({ section, tier, min, max }) => {
    const count = counts.get(section) ?? { used: 0, included: 0, excluded: 0 }
    return {
      section,
      tier,
      min,
      max,
      allocatedTokens: useOf.get(section)?.allocatedTokens ?? count.used,
      usedTokens: count.used,
      demandTokens: useOf.get(section)?.demandTokens ?? count.used,
      included: count.included,
      excluded: count.excluded,
    }
  })
}
