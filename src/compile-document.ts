import * as z from 'zod'
import type { CompileInput, EpochPolicy, Media, Policy } from './core/index.ts'
import type { PrehendError } from './core/index.ts'
import { scanJson } from './codecs/index.ts'
import { invalidInput, mediaDetails, mediaTypes, subtaskStatuses, taskPhases } from './core/index.ts'
import { careful, policies } from './compiler/index.ts'
import { shippedCatalogue } from './tokens/index.ts'
import type { ModelCatalogue } from './tokens/index.ts'

/** The name that a compile document carries in `schema`. */
export const compileDocumentSchema = 'prehend.compile/1'

const share = z.number().min(0).max(1)
const amount = z.number().min(0)
const count = z.int().min(0).max(1_000_000_000)
const name = z.string().min(1)

const scores = z.strictObject({
  relevance: share.optional(),
  authority: share.optional(),
  freshness: share.optional(),
  utility: share.optional(),
})

const provenance = z.strictObject({
  sourceId: name,
  uri: z.string().optional(),
  retrievedAt: z.string().optional(),
  authorityScore: share.optional(),
  relevanceScore: share.optional(),
  span: z.tuple([count, count]).optional(),
  lineage: z.string().optional(),
})

const media = z.strictObject({
  type: z.enum(mediaTypes),
  mimeType: z.string().optional(),
  width: amount.optional(),
  height: amount.optional(),
  durationMs: amount.optional(),
  pages: amount.optional(),
  sizeBytes: amount.optional(),
  detail: z.enum(mediaDetails).optional(),
  url: z.string().optional(),
} satisfies Readonly<Record<keyof Media, z.ZodType>>)

const item = z.strictObject({
  id: name,
  section: name,
  kind: z.enum([
    'instruction',
    'text',
    'tool-call',
    'tool-result',
    'tool-schema',
    'reasoning',
    'evidence',
    'memory',
    'media',
    'opaque',
  ]),
  text: z.string(),
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']).optional(),
  authority: z.enum(['system', 'developer', 'user', 'tool']).optional(),
  trust: z.enum(['trusted', 'semi-trusted', 'untrusted']).optional(),
  provenance: provenance.optional(),
  scores: scores.optional(),
  birthTurn: count.optional(),
  pin: z.boolean().optional(),
  group: name.optional(),
  toolName: z.string().optional(),
  toolCallId: z.string().optional(),
  status: z.enum(['ok', 'error']).optional(),
  tokens: count.optional(),
  media: media.optional(),
  frozen: z.boolean().optional(),
})

const sectionBudget = z.strictObject({
  section: name,
  tier: z.literal([0, 1, 2, 3, 4, 5]).optional(),
  min: count.optional(),
  max: count.optional(),
  weight: share.optional(),
  alpha: z.number().positive().optional(),
  beta: z.number().positive().optional(),
  base: amount.optional(),
  cost: amount.optional(),
})

const budget = z.strictObject({
  windowTokens: count.min(1).optional(),
  maxOutputTokens: count.optional(),
  overheadTokens: count.optional(),
  sections: z.array(sectionBudget).optional(),
})

const taskState = z.strictObject({
  objective: z.string(),
  phase: z.enum(taskPhases),
  subtasks: z.array(z.strictObject({ title: z.string(), status: z.enum(subtaskStatuses) })).optional(),
  results: z.array(z.string()).optional(),
  pending: z.array(z.string()).optional(),
  error: z.string().optional(),
})

const frame = z.strictObject({
  role: z.string().optional(),
  goal: z.string().optional(),
  step: z.string().optional(),
  state: taskState.optional(),
  constraints: z.array(z.string()).optional(),
  acceptance: z.array(z.string()).optional(),
  request: z.string(),
})

const signals = z.strictObject({
  checklistEvidenceRatio: share.optional(),
  expectedToolCalls: amount.optional(),
  risk: z.enum(['low', 'medium', 'high']).optional(),
  retrievalHitRate: share.optional(),
  similarity: share.optional(),
  freshnessDays: amount.optional(),
  unresolvedQuestions: amount.optional(),
  dialogueDepth: amount.optional(),
})

const rankWeights = z.strictObject({
  relevance: amount,
  authority: amount,
  freshness: amount,
  utility: amount,
  thrift: amount,
})

const epochChanges = z.strictObject({
  lowestRung: z.enum(['lossless', 'trimmed', 'line']).optional(),
  keepFull: count.optional(),
  keepTokens: count.optional(),
  keepErrors: count.optional(),
  lineWorth: amount.optional(),
  callTokens: count.optional(),
  expectedTurns: amount.optional(),
  patience: amount.optional(),
  riskShare: share.optional(),
  reserveCalls: amount.optional(),
  loanAfter: count.optional(),
  loanShare: share.optional(),
} satisfies Readonly<Record<keyof EpochPolicy, z.ZodType>>)

const overflow = z.enum(['truncate-lowest', 'cascade-compress', 'defer-retrieval', 'fail-loud', 'paginate'])

/** A policy that comes with the product, with what the document changes in it. */
const changedPolicy = z.strictObject({
  extends: name,
  id: name,
  version: name,
  shares: z.array(z.strictObject({ section: name, min: share, max: share, weight: share })).optional(),
  floors: z.strictObject({ relevance: share, freshness: share, authority: share }).optional(),
  rank: rankWeights.optional(),
  overflow: overflow.optional(),
  overflowFor: z.record(z.string(), overflow).optional(),
  requires: z.array(z.enum(['policy', 'goal', 'step', 'acceptance', 'evidence'])).optional(),
  provenance: z.enum(['source', 'full']).optional(),
  pressure: z.strictObject({ prepare: share, compress: share, evict: share }).optional(),
  reserveShare: share.optional(),
  costSensitivity: amount.optional(),
  epochs: epochChanges.optional(),
})

const compileDocument = z.strictObject({
  schema: z.literal(compileDocumentSchema),
  items: z.array(item),
  budget: budget.optional(),
  policy: z.union([name, changedPolicy]).optional(),
  layout: z.enum(['messages', 'payload']).optional(),
  markup: z.enum(['headers', 'xml', 'canonical']).optional(),
  taskClass: name.optional(),
  model: name.optional(),
  frame: frame.optional(),
  nowMs: z.number().optional(),
  prices: z
    .strictObject({
      read: amount,
      write: amount,
      minTokens: amount,
      ttlMs: amount,
      readableAt: z.enum(['requests', 'anywhere']).optional(),
    })
    .optional(),
  signals: signals.optional(),
  handleKey: z.string().optional(),
  hiddenTools: z.array(name).optional(),
  rehydration: z.boolean().optional(),
  ledger: z.looseObject({ schema: z.literal('prehend.ledger/1') }).optional(),
})

/** What a document may leave to its host. */
export interface CompileDefaults {
  readonly model?: string
  /** The id of a policy that comes with the product. */
  readonly policy?: string
  /** What knows the window of a model. */
  readonly catalogue?: ModelCatalogue
}

/**
 * Reads a `prehend.compile/1` document. Strict: what is missing, wrong or unknown is an `invalid-input` that names its
 * path. The window is the model's where the document names none; the layout is `payload`, the policy `careful`.
 */
export function parseCompileDocument(value: unknown, defaults: CompileDefaults = {}): CompileInput {
  const parsed = compileDocument.safeParse(value)
  if (!parsed.success) throw refusal(parsed.error)
  const { schema: _, policy = defaults.policy, layout = 'payload', model = defaults.model, ...rest } = parsed.data
  const windowTokens = rest.budget?.windowTokens ?? windowOf(model, defaults.catalogue)
  const input = {
    ...rest,
    ...(model === undefined ? {} : { model }),
    budget: { ...rest.budget, windowTokens },
    layout,
    policy: policyOf(policy),
  }
  return input as unknown as CompileInput
}

/** The same for a JSON text; throws `invalid-json` with the offset where it stops being JSON. */
export function parseCompileText(text: string, defaults: CompileDefaults = {}): CompileInput {
  return parseCompileDocument(jsonOf(text), defaults)
}

function windowOf(model: string | undefined, catalogue: ModelCatalogue = shippedCatalogue): number {
  if (model !== undefined) return catalogue.info(model).windowTokens
  throw invalidInput('budget.windowTokens', 'is missing', 'Give the window in tokens, or name a model.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    scanJson(text)
    throw error
  }
}

function policyOf(asked: z.infer<typeof compileDocument>['policy']): Policy {
  if (asked === undefined) return careful
  if (typeof asked === 'string') return named(asked, 'policy')
  const { extends: base, epochs, ...changes } = asked
  const start = named(base, 'policy.extends')
  return { ...start, ...changes, epochs: { ...start.epochs, ...epochs } } as Policy
}

function named(id: string, field: string): Policy {
  const policy = Object.hasOwn(policies, id) ? policies[id] : undefined
  if (policy !== undefined) return policy
  throw invalidInput(field, `there is no policy ${id}`, `Use one of ${Object.keys(policies).join(', ')}.`)
}

function refusal(error: z.ZodError): PrehendError {
  const [issue] = error.issues
  if (issue === undefined)
    return invalidInput('document', 'is not a compile document', 'Give a prehend.compile/1 document.')
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = fieldOf(unknown === undefined ? issue.path : [...issue.path, unknown])
  if (unknown !== undefined) return invalidInput(field, 'is not known', 'Leave it out, or correct its name.')
  return invalidInput(field, issue.message, 'See the documentation of prehend.compile/1.')
}

function fieldOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'document'
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join('')
}
