import type {
  Budget,
  CompactionRecord,
  CompileInput,
  CompressionRecord,
  ConstraintRecord,
  Contradiction,
  EpochRecord,
  LinkRecord,
  Manifest,
  ManifestDecision,
  Omission,
  Outcome,
  PayloadMarkup,
  ProvenanceRecord,
  QualityRecord,
  ReliefRecord,
  SecurityRecord,
  StageRecord,
  StaleItem,
  SummaryRecord,
  WasteRecord,
} from '../../core/index.ts'
import type { SectionReport } from './report-sections.ts'
import { overflowOf } from '../overflow/overflow-of.ts'
import { availableTokens } from '../budget/resolve-budget.ts'

export interface ManifestParts {
  readonly input: CompileInput
  readonly inputHash: string
  readonly packHash: string
  readonly tokenizerId: string
  readonly outcome: Outcome['kind']
  readonly budget: Budget
  readonly originalTokens: number
  readonly packTokens: number
  readonly frameTokens: number
  readonly shadowPrice?: number
  readonly signals: Readonly<Record<string, number>>
  readonly stages: readonly StageRecord[]
  readonly report: SectionReport
  readonly decisions: readonly ManifestDecision[]
  readonly epoch?: EpochRecord
  readonly compaction?: CompactionRecord
  readonly relief?: ReliefRecord
  readonly summaries?: readonly SummaryRecord[]
  readonly omissions?: readonly Omission[]
  readonly stale?: readonly StaleItem[]
  readonly links?: readonly LinkRecord[]
  readonly evidenceNeeded?: boolean
  readonly markup?: PayloadMarkup
  readonly artifactUris?: readonly string[]
  readonly provenance?: ProvenanceRecord
  readonly quality?: QualityRecord
  readonly security?: SecurityRecord
  readonly constraints?: ConstraintRecord
  readonly compression?: CompressionRecord
  readonly waste?: WasteRecord
  readonly contradictions?: readonly Contradiction[]
  readonly offers?: boolean
}

/** Pack over window minus reserve, with what frames it. */
export function utilisationOf(packTokens: number, budget: Budget): number {
  const available = availableTokens(budget) + budget.overheadTokens
  return available > 0 ? (packTokens + budget.overheadTokens) / available : 0
}

/** The receipt of one compile. */
export function buildManifest(parts: ManifestParts): Manifest {
  const { input, budget, decisions } = parts
  return {
    schema: 'prehend.manifest/1',
    packHash: parts.packHash,
    inputHash: parts.inputHash,
    policyId: input.policy.id,
    policyVersion: input.policy.version,
    ...(input.policy.revision === undefined ? {} : { policyRevision: input.policy.revision }),
    ...(input.situation === undefined ? {} : { situation: input.situation }),
    ...(input.scope === undefined ? {} : { scope: input.scope }),
    overflow: overflowOf(input),
    tokenizerId: parts.tokenizerId,
    ...(input.model === undefined ? {} : { model: input.model }),
    layout: input.layout,
    ...(parts.markup === undefined ? {} : { markup: parts.markup }),
    outcome: parts.outcome,
    windowTokens: budget.windowTokens,
    reserveTokens: budget.reserveTokens,
    overheadTokens: budget.overheadTokens,
    frameTokens: parts.frameTokens,
    originalTokens: parts.originalTokens,
    packTokens: parts.packTokens,
    utilisation: utilisationOf(parts.packTokens, budget),
    ...(parts.shadowPrice === undefined ? {} : { shadowPrice: parts.shadowPrice }),
    signals: parts.signals,
    stages: parts.stages,
    sections: parts.report.sections,
    decisions,
    truncations: parts.report.truncations,
    ...(parts.epoch === undefined ? {} : { epoch: parts.epoch }),
    ...(parts.compaction === undefined ? {} : { compaction: parts.compaction }),
    ...(input.policy.promptCache === false ? { promptCache: false } : {}),
    ...(parts.relief === undefined ? {} : { relief: parts.relief }),
    ...(parts.summaries === undefined ? {} : { summaries: parts.summaries }),
    ...(parts.artifactUris === undefined ? {} : { artifactUris: parts.artifactUris }),
    ...(parts.provenance === undefined ? {} : { provenance: parts.provenance }),
    ...(parts.compression === undefined ? {} : { compression: parts.compression }),
    ...(parts.contradictions === undefined ? {} : { contradictions: parts.contradictions }),
    ...(parts.waste === undefined ? {} : { waste: parts.waste }),
    ...(parts.quality === undefined ? {} : { quality: parts.quality }),
    ...(parts.security === undefined ? {} : { security: parts.security }),
    ...(parts.constraints === undefined ? {} : { constraints: parts.constraints }),
    ...(parts.stale === undefined ? {} : { stale: parts.stale }),
    ...(parts.omissions === undefined ? {} : { omissions: parts.omissions }),
    ...(parts.links === undefined ? {} : { links: parts.links }),
    ...(parts.offers === true ? { offers: true } : {}),
    ...(parts.evidenceNeeded === true ? { evidenceNeeded: true } : {}),
  }
}
