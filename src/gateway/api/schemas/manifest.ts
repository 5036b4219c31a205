import { z } from 'zod'
import {
  budgetTiers,
  compactionCauses,
  compileStages,
  layouts,
  linkMethods,
  modalities,
  modelTiers,
  overflowPolicies,
  payloadMarkups,
  provenanceLevels,
  qualityMeasures,
  omissionRisks,
  reliefSteps,
  rungs,
  stalenessSignals,
} from '../../../core/index.ts'
import { count, tokens } from './parts.ts'

export const rung = z.enum(rungs)
export const outcomeKind = z.enum(['ok', 'retrieval-pending', 'split-required', 'paginated', 'budget-exhausted'])
export const reason = z.string().describe('One word for one cause, such as `fits`, `economy` or `pressure`.')

export const epochRecord = z
  .strictObject({
    epoch: count,
    decision: z.enum(['hold', 'begin']),
    cause: z.string(),
    rewriteCost: z.number().describe('In plain input tokens.'),
    savingPerTurn: z.number(),
    expectedTurns: z.number(),
    credit: z.number(),
  })
  .meta({ id: 'EpochRecord' })

export const decision = z
  .strictObject({
    itemId: z.string(),
    section: z.string(),
    contentHash: z.string(),
    rung,
    reason,
    originalTokens: tokens,
    tokens,
    score: z.number().exactOptional(),
    handle: z.string().exactOptional(),
  })
  .meta({ id: 'Decision' })

/** As it stands in a list of its own, where texts give it a name. */
export const namedDecision = decision
  .extend({
    name: z.string().nullable().describe('Such as `bash: cat src/csv.js`; null where no content is recorded.'),
  })
  .meta({ id: 'NamedDecision' })

export const sectionBudget = z
  .strictObject({
    section: z.string(),
    tier: z.union(budgetTiers.map((tier) => z.literal(tier))),
    min: z.number(),
    max: z.number(),
    allocatedTokens: tokens,
    usedTokens: tokens,
    demandTokens: tokens,
    included: count,
    excluded: count,
    fidelity: z.number().exactOptional(),
  })
  .meta({ id: 'SectionBudget' })

export const compaction = z
  .strictObject({
    cause: z.enum(compactionCauses).describe('An order, the trigger that was exceeded, or what the policy goes by.'),
    count: count.describe('Compactions of the session, this one included.'),
    tokensBefore: tokens.describe('What the request would have taken without it.'),
    tokensAfter: tokens,
    briefTokens: tokens.describe('Of the brief that stands for what has gone.'),
    items: count.describe('Items that the brief stands for.'),
    handles: z.array(z.string()).describe('What brings them back.'),
    price: z.number().describe('What this request cost more for it, in plain input tokens.'),
    rent: z.number().describe('What holding on had cost before, in the same.'),
    paybackTurns: z.number().exactOptional().describe('Requests after which it has paid for itself.'),
  })
  .meta({ id: 'Compaction' })

const truncation = z.strictObject({
  section: z.string(),
  reason,
  rung,
  itemIds: z.array(z.string()),
  removedTokens: z.number(),
})

export const situation = z.strictObject({
  tenant: z.string().exactOptional(),
  taskClass: z.string().exactOptional(),
  agentPhase: z.string().exactOptional(),
  lifecyclePhase: z.string().exactOptional(),
  regime: z.string().exactOptional(),
  affect: z.strictObject({ pleasure: z.number(), arousal: z.number(), dominance: z.number() }).exactOptional(),
  turnPhase: z.string().exactOptional(),
  modelTier: z.enum(modelTiers).exactOptional(),
})

const scope = z.strictObject({
  taskId: z.string().exactOptional(),
  stepId: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  tools: z.array(z.string()).exactOptional(),
})

const relief = z.strictObject({
  profile: z.string().exactOptional(),
  steps: z.array(
    z.strictObject({
      step: z.enum(reliefSteps),
      risk: z.enum(omissionRisks).exactOptional(),
      section: z.string().exactOptional(),
      tokensBefore: tokens,
      tokensAfter: tokens,
    }),
  ),
  enough: z.boolean(),
})

const finding = z.strictObject({
  itemId: z.string(),
  score: z.number(),
  reasons: z.array(z.string()),
  action: z.enum(['logged', 'quarantined', 'kept', 'left-out']),
})

const security = z.strictObject({
  policyHash: z.string(),
  surface: z.number(),
  boundaryEpoch: z.number().exactOptional(),
  detector: z.string().exactOptional(),
  threshold: z.number().exactOptional(),
  findings: z.array(finding).exactOptional(),
  strippedIds: z.array(z.string()).exactOptional(),
})

const sentencePlace = z.strictObject({ at: z.string(), start: count, end: count })

const measure = z.enum(qualityMeasures)

const quality = z.strictObject({
  measures: z.partialRecord(measure, z.number()),
  notJudged: z.partialRecord(measure, z.enum(['too-small', 'room-to-spare'])).exactOptional(),
  breaches: z
    .array(
      z.strictObject({
        measure,
        value: z.number(),
        least: z.number().exactOptional(),
        most: z.number().exactOptional(),
      }),
    )
    .exactOptional(),
})

const linkEnd = z.strictObject({
  itemId: z.string(),
  label: z.string().describe('By which a payload names it.'),
  modality: z.enum(modalities),
  rung,
  handle: z.string().exactOptional(),
})

/** What a receipt may say beside its decisions. */
const seldom = {
  artifactUris: z.array(z.string()).exactOptional(),
  provenance: z
    .strictObject({
      required: z.enum(provenanceLevels),
      coverage: z.number(),
      anonymousIds: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  contradictions: z
    .array(z.strictObject({ about: z.string(), first: sentencePlace, second: sentencePlace }))
    .exactOptional(),
  waste: z
    .strictObject({ sentTokens: tokens, unusedTokens: tokens, unusedItems: count, unusedIds: z.array(z.string()) })
    .exactOptional(),
  compression: z
    .strictObject({
      everything: z.boolean(),
      items: count,
      tokensBefore: tokens,
      tokensAfter: tokens,
      removedRatio: z.number(),
      fidelity: z.number(),
      guidelines: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  stale: z
    .array(z.strictObject({ itemId: z.string(), signals: z.array(z.enum(stalenessSignals)), relevance: z.number() }))
    .exactOptional(),
  summaries: z
    .array(
      z.strictObject({
        key: z.string(),
        handle: z.string(),
        itemIds: z.array(z.string()),
        media: z
          .array(z.strictObject({ itemId: z.string(), handle: z.string() }))
          .exactOptional()
          .describe('Images, recordings and files among them, each with a handle of its own.'),
        tokens,
        sourceTokens: tokens,
        keepRatio: z.number(),
        writer: z.string(),
      }),
    )
    .exactOptional(),
  security: security.exactOptional(),
  constraints: z.strictObject({ tokens, overruled: z.array(count) }).exactOptional(),
  offers: z.literal(true).exactOptional(),
  evidenceNeeded: z.boolean().exactOptional(),
  quality: quality.exactOptional(),
  links: z
    .array(
      z.strictObject({
        from: linkEnd,
        to: linkEnd,
        method: z.enum(linkMethods),
        confidence: z.number().exactOptional(),
      }),
    )
    .exactOptional()
    .describe('What was made of what, where either is shown.'),
  omissions: z
    .array(z.strictObject({ section: z.string(), items: count, handle: z.string() }))
    .exactOptional()
    .describe('What a payload does not show; each handle brings back a list of it.'),
}

export const stage = z.strictObject({
  stage: z.enum(['collect', ...compileStages]),
  items: count,
  tokens: z.number(),
  runs: count.exactOptional(),
})

export const manifest = z
  .strictObject({
    schema: z.literal('prehend.manifest/1'),
    packHash: z.string(),
    inputHash: z.string(),
    policyId: z.string(),
    policyVersion: z.string(),
    policyRevision: z.number().exactOptional(),
    situation: situation.exactOptional(),
    scope: scope.exactOptional(),
    overrides: z.array(z.string()).exactOptional(),
    retrieval: z.string().exactOptional(),
    overflow: z.enum(overflowPolicies).exactOptional(),
    tokenizerId: z.string(),
    model: z.string().exactOptional(),
    layout: z.enum(layouts),
    markup: z.enum(payloadMarkups).exactOptional(),
    outcome: outcomeKind,
    windowTokens: tokens,
    reserveTokens: tokens,
    overheadTokens: tokens,
    frameTokens: tokens.exactOptional(),
    originalTokens: tokens,
    packTokens: tokens,
    utilisation: z.number(),
    shadowPrice: z.number().exactOptional(),
    signals: z.record(z.string(), z.number()),
    stages: z.array(stage).exactOptional(),
    sections: z.array(sectionBudget),
    decisions: z.array(decision),
    truncations: z.array(truncation),
    epoch: epochRecord.exactOptional(),
    compaction: compaction.exactOptional(),
    promptCache: z.literal(false).exactOptional(),
    relief: relief.exactOptional(),
    ...seldom,
  })
  .describe('Budgets, decisions, reasons and hashes of one compile: a pure function of what was compiled.')
  .meta({ id: 'Manifest' })
