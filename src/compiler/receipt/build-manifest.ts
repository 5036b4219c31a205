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
  readonly report: SectionReport
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
    sections: parts.report.sections,
    decisions,
    truncations: parts.report.truncations,
    ...(parts.epoch === undefined ? {} : { epoch: parts.epoch }),
    ...(parts.evidenceNeeded === true ? { evidenceNeeded: true } : {}),
  }
}

/** A section's part of the manifest, as far as the decisions do not tell it. */
export interface SectionUse {
  readonly section: Section
  readonly allocatedTokens?: number
  readonly demandTokens?: number
  /** Indexes of the section's items. */
  readonly members: readonly number[]
}

export interface SectionReport {
  readonly sections: readonly ManifestSection[]
  readonly truncations: readonly TruncationEvent[]
}

/** One entry per section of the budget (V-005), and what was shortened or left out in each, by reason and rung. */
export function reportSections(
  budget: Budget,
  uses: readonly SectionUse[],
  decisions: readonly ManifestDecision[],
): SectionReport {
  const useOf = new Map(uses.map((use) => [use.section, use]))
  const truncations: Truncation[] = []
  const reported = budget.sections.map(({ section, tier, min, max }): ManifestSection => {
    const use = useOf.get(section)
    const tally = { section, used: 0, excluded: 0, demand: 0, truncations }
    for (const index of use?.members ?? []) addDecision(tally, decisions[index])
    return {
      section,
      tier,
      min,
      max,
      allocatedTokens: use?.allocatedTokens ?? tally.used,
      usedTokens: tally.used,
      demandTokens: use?.demandTokens ?? tally.demand,
      included: (use?.members.length ?? 0) - tally.excluded,
      excluded: tally.excluded,
    }
  })
  return { sections: reported, truncations }
}

interface Truncation extends TruncationEvent {
  readonly itemIds: string[]
  removedTokens: number
}

interface Tally {
  readonly section: Section
  readonly truncations: Truncation[]
  used: number
  demand: number
  excluded: number
}

function addDecision(tally: Tally, decision: ManifestDecision | undefined): void {
  if (decision === undefined) return
  const { rung, reason, tokens, originalTokens, itemId } = decision
  tally.used += tokens
  tally.demand += originalTokens
  if (rung === 'full' || rung === 'lossless') return
  if (rung === 'omitted') tally.excluded += 1
  const isSame = (one: Truncation): boolean =>
    one.reason === reason && one.rung === rung && one.section === tally.section
  let event = tally.truncations.findLast(isSame)
  if (event === undefined) {
    event = { section: tally.section, reason, rung, itemIds: [], removedTokens: 0 }
    tally.truncations.push(event)
  }
  event.itemIds.push(itemId)
  event.removedTokens += originalTokens - tokens
}
