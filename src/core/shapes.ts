import type { ItemSimilarity } from './references.ts'
import type { BoundaryRequest, BudgetRequest, AllocatorSignals, StepFrame, StepWarning } from './compile.ts'
import type { StepLimits } from './step-limits.ts'
import { riskLevels } from './step-limits.ts'
import type { SectionBudget } from './budget.ts'
import { itemKinds, itemLives, itemStatuses, roles } from './item.ts'
import type { Item, Provenance, Scores } from './item.ts'
import type {
  Account,
  CacheMark,
  ConversationLedger,
  Ledger,
  LedgerCut,
  LedgerMemory,
  LedgerShown,
  LedgerEntry,
  PayloadLedger,
} from './ledger.ts'
import type { PackScope } from './pack-scope.ts'
import { constraintShape } from './payload-policy-shape.ts'
import type { ProviderEditing } from './provider-editing.ts'
import { ledgerSchema } from './ledger.ts'
import { linkMethods } from './item-links.ts'
import type { ItemLink } from './item-links.ts'
import type { Media, MediaSubstitute } from './media.ts'
import { mediaDetails, mediaTypes, substituteMethods } from './media.ts'
import { layouts, payloadMarkups } from './pack.ts'
import { rungs } from './rendition.ts'
import type { LineReference } from './rendition.ts'
import { authorities, budgetTiers, trusts } from './section.ts'
import * as shape from './shape.ts'
import type { TaskState } from './task-state.ts'
import { subtaskStatuses, taskPhases } from './task-state.ts'
import { compactionStateShape } from './compaction.ts'
import type { GivenSummary } from './summary.ts'
import { cacheReadPlaces } from './usage.ts'
import type { CachePrices } from './usage.ts'

const { amount, count, countFrom, flag, list, name, object, oneOf, optional, positive, share, text } = shape

export const scoresShape = object<Scores>({
  relevance: optional(share),
  authority: optional(share),
  freshness: optional(share),
  utility: optional(share),
  confidence: optional(share),
  pragmatic: optional(share),
  epistemic: optional(share),
  affective: optional(share),
  urgency: optional(share),
})

export const provenanceShape = object<Provenance>({
  sourceId: name,
  uri: optional(text),
  title: optional(text),
  retrievedAt: optional(text),
  authorityScore: optional(share),
  relevanceScore: optional(share),
  span: optional(shape.pair(count)),
  lineage: optional(text),
})

const substituteShape = object<MediaSubstitute>({
  method: oneOf(substituteMethods),
  text: name,
  fidelity: share,
  confidence: optional(share),
})

const regionShape = list(count) as shape.Shape<NonNullable<Media['region']>>

export const mediaShape = object<Media>({
  type: oneOf(mediaTypes),
  mimeType: optional(text),
  width: optional(amount),
  height: optional(amount),
  durationMs: optional(amount),
  pages: optional(amount),
  sizeBytes: optional(amount),
  detail: optional(oneOf(mediaDetails)),
  url: optional(text),
  fingerprint: optional(text),
  region: optional(regionShape),
  substitutes: optional(list(substituteShape)),
})

const linkShape = object<ItemLink>({ itemId: name, method: oneOf(linkMethods), confidence: optional(share) })

/** The one list of an item's members: validation, documents, change detection and hashes derive from it. */
export const itemShape = object<Item>({
  id: name,
  section: name,
  kind: oneOf(itemKinds),
  text,
  role: optional(oneOf(roles)),
  authority: optional(oneOf(authorities)),
  trust: optional(oneOf(trusts)),
  provenance: optional(provenanceShape),
  scores: optional(scoresShape),
  birthTurn: optional(count),
  category: optional(name),
  pin: optional(flag),
  group: optional(name),
  toolName: optional(text),
  toolCallId: optional(text),
  toolNamespace: optional(text),
  words: optional(text),
  reasonedBy: optional(text),
  status: optional(oneOf(itemStatuses)),
  tokens: optional(count),
  media: optional(mediaShape),
  links: optional(list(linkShape)),
  frozen: optional(flag),
  citable: optional(flag),
  lasts: optional(oneOf(itemLives)),
  wordWeights: optional(text),
  scope: optional(name),
})

export const similarityShape = object<ItemSimilarity>({ a: name, b: name, similarity: share })

type SectionRequest = NonNullable<BudgetRequest['sections']>[number]

const sectionBudgetMembers: shape.Members<Omit<SectionBudget, 'section'>> = {
  tier: oneOf(budgetTiers),
  min: count,
  max: count,
  weight: share,
  alpha: positive,
  beta: positive,
  base: amount,
  cost: amount,
  maxItems: optional(count),
  maxCandidates: optional(count),
  mostRemoved: optional(share),
  recentTurns: optional(count),
  olderTokens: optional(count),
}

export const sectionRequestShape = object<SectionRequest>({
  section: name,
  ...shape.partial(object(sectionBudgetMembers)).members,
})

export const budgetRequestShape = object<BudgetRequest>({
  windowTokens: countFrom(1),
  maxOutputTokens: optional(count),
  overheadTokens: optional(count),
  ownTokens: optional(count),
  offerTokens: optional(count),
  sections: optional(list(sectionRequestShape)),
})

export const taskStateShape = object<TaskState>({
  objective: text,
  phase: oneOf(taskPhases),
  subtasks: optional(
    list(object<NonNullable<TaskState['subtasks']>[number]>({ title: text, status: oneOf(subtaskStatuses) })),
  ),
  results: optional(list(text)),
  pending: optional(list(text)),
  error: optional(text),
})

export const stepLimitsShape = object<StepLimits>({
  tokens: optional(count),
  costUsd: optional(amount),
  latencyMs: optional(amount),
  risk: optional(oneOf(riskLevels)),
})

export const stepFrameShape = object<StepFrame>({
  role: optional(text),
  goal: optional(text),
  step: optional(text),
  state: optional(taskStateShape),
  limits: optional(stepLimitsShape),
  constraints: optional(list(shape.textOr(text, constraintShape))),
  warnings: optional(list(object<StepWarning>({ text: name, severity: name }))),
  acceptance: optional(list(text)),
  request: text,
})

export const packScopeShape = object<PackScope>({
  taskId: optional(name),
  stepId: optional(name),
  agent: optional(name),
  tools: optional(list(name)),
})

export const signalsShape = object<AllocatorSignals>({
  checklistEvidenceRatio: optional(share),
  expectedToolCalls: optional(amount),
  risk: optional(oneOf(riskLevels)),
  retrievalHitRate: optional(share),
  similarity: optional(share),
  freshnessDays: optional(amount),
  unresolvedQuestions: optional(amount),
  dialogueDepth: optional(amount),
})

export const cachePricesShape = object<CachePrices>({
  read: amount,
  write: amount,
  minTokens: amount,
  ttlMs: amount,
  readableAt: optional(oneOf(cacheReadPlaces)),
  readableWithin: optional(amount),
  blockTokens: optional(amount),
})

export const givenSummaryShape = object<GivenSummary>({ key: name, writer: name, prose: text })

export const providerEditingShape = object<ProviderEditing>({
  clears: optional(
    object<NonNullable<ProviderEditing['clears']>>({
      aboveTokens: amount,
      keep: amount,
      sparedTools: optional(list(name)),
    }),
  ),
  ignoresBefore: optional(name),
  compactsAboveTokens: optional(amount),
})

export const boundaryShape = object<BoundaryRequest>({ secret: name, session: name })

const lineReferenceShape = object<LineReference>({
  key: name,
  firstLine: count,
  lines: count,
  at: optional(count),
})

const ledgerEntryShape = object<LedgerEntry>({
  key: name,
  rung: oneOf(rungs),
  text: optional(text),
  tokens: count,
  originalTokens: count,
  fidelity: optional(share),
  handle: optional(name),
  references: optional(list(lineReferenceShape)),
  unhandled: optional(flag),
})

const sessionLedgerMembers = {
  schema: oneOf([ledgerSchema]),
  epoch: count,
  policyId: text,
  turns: count,
  lastRequestMs: optional(shape.finite),
  lastTokens: amount,
  lastOriginalTokens: amount,
  account: object<Account>({ passThrough: amount, actual: amount }),
  regret: shape.finite,
  rehydrations: count,
  step: optional(text),
  regime: optional(text),
} as const

const ledgerShapes = {
  messages: object<ConversationLedger>({
    ...sessionLedgerMembers,
    layout: oneOf(['messages']),
    entries: list(ledgerEntryShape),
    marks: optional(list(object<CacheMark>({ items: count, atMs: optional(shape.finite) }))),
    rent: optional(amount),
    compacted: optional(compactionStateShape),
  }),
  payload: object<PayloadLedger>({
    ...sessionLedgerMembers,
    layout: oneOf(['payload']),
    cut: optional(object<LedgerCut>({ short: text, whole: text })),
    memory: optional(list(object<LedgerMemory>({ key: text, packs: count, durable: optional(flag) }))),
    markup: optional(oneOf(payloadMarkups)),
    shown: optional(list(object<LedgerShown>({ key: text, rung: oneOf(rungs), tokens: amount }))),
  }),
} as const

const ledgerHead = object<Pick<Ledger, 'schema' | 'layout'>>({ schema: oneOf([ledgerSchema]), layout: oneOf(layouts) })

export const ledgerShape = shape.tagged<Ledger>(ledgerHead, 'layout', ledgerShapes)
