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
function truncationsOf(decisions: readonly ManifestDecision[]): readonly TruncationEvent[] {
  const groups = new Map<Section, Truncation[]>()
  const order: Truncation[] = []
  for (const decision of decisions) {
    const { section, reason, rung } = decision
    if (rung === 'full' || rung === 'lossless') continue
    const own = groups.get(section) ?? []
    let group = own.find((candidate) => candidate.reason === reason && candidate.rung === rung)
    if (group === undefined) {
      group = { section, reason, rung, itemIds: [], removedTokens: 0 }
      groups.set(section, own)
      own.push(group)
      order.push(group)
    }
    group.itemIds.push(decision.itemId)
    group.removedTokens += decision.originalTokens - decision.tokens
  }
  return order
}

interface Truncation extends TruncationEvent {
  readonly itemIds: string[]
  removedTokens: number
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
  const counts = new Map(budget.sections.map(({ section }) => [section, { used: 0, included: 0, excluded: 0 }]))
  for (const { section, rung, tokens } of decisions) {
    const count = counts.get(section)
    if (count === undefined) continue
    count.used += tokens
    if (rung === 'omitted') count.excluded += 1
    else count.included += 1
  }
  const useOf = new Map(uses.map((use) => [use.section, use]))
  return budget.sections.map(({ section, tier, min, max }) => {
    const { used = 0, included = 0, excluded = 0 } = counts.get(section) ?? {}
    return {
      section,
      tier,
      min,
      max,
      allocatedTokens: useOf.get(section)?.allocatedTokens ?? used,
      usedTokens: used,
      demandTokens: useOf.get(section)?.demandTokens ?? used,
      included,
      excluded,
    }
  })
}
