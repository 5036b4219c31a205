import type { BudgetRequest, CompileInput, Policy, Situation } from '../core/index.ts'
import {
  boundaryShape,
  budgetRequestShape,
  givenSummaryShape,
  compactionOrderShape,
  cachePricesShape,
  providerEditingShape,
  sessionLengthsShape,
  invalidInput,
  itemShape,
  layouts,
  objectLike,
  packScopeShape,
  ledgerShape,
  mediaMakingShape,
  parseJson,
  payloadMarkups,
  shape,
  signalsShape,
  similarityShape,
  situationShape,
  stepFrameShape,
  withMethods,
} from '../core/index.ts'
import { changedPolicyShape, defaultPolicy, readPolicy } from '../compiler/index.ts'
import type { ChangedPolicy, KnownPolicies } from '../compiler/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

/** The name that a compile document carries in `schema`. */
export const compileDocumentSchema = 'prehend.compile/1'

/** The input of a compile as JSON: policies by name, the window by the model's. */
export interface CompileDocument extends Omit<CompileInput, 'policy' | 'budget' | 'layout'> {
  readonly schema: typeof compileDocumentSchema
  readonly budget?: Partial<BudgetRequest>
  readonly policy?: string | ChangedPolicy
  readonly layout?: CompileInput['layout']
}

const { flag, list, name, object, oneOf, optional, partial, record, share, text } = shape

export const compileDocumentShape = object<CompileDocument>({
  schema: oneOf([compileDocumentSchema]),
  items: list(itemShape),
  budget: optional(partial(budgetRequestShape)),
  policy: optional(shape.textOr(name, changedPolicyShape)),
  layout: optional(oneOf(layouts)),
  markup: optional(oneOf(payloadMarkups)),
  taskClass: optional(name),
  situation: optional(situationShape),
  model: optional(name),
  frame: optional(stepFrameShape),
  scope: optional(packScopeShape),
  nowMs: optional(shape.finite),
  prices: optional(cachePricesShape),
  editing: optional(providerEditingShape),
  sessionLengths: optional(sessionLengthsShape),
  tenantCredit: optional(shape.finite),
  compaction: optional(compactionOrderShape),
  signals: optional(signalsShape),
  handleKey: optional(text),
  boundary: optional(boundaryShape),
  suspicions: optional(record(share)),
  similarities: optional(list(similarityShape)),
  summaries: optional(list(givenSummaryShape)),
  hiddenTools: optional(list(name)),
  making: optional(mediaMakingShape),
  rehydration: optional(flag),
  ledger: optional(ledgerShape),
})

/** What a document may leave to its host. */
export interface CompileDefaults {
  readonly model?: string
  /** The id of a policy. */
  readonly policy?: string
  /** Those that there are; those that come with the product by default. */
  readonly policies?: KnownPolicies
  /** What is known of where the document comes from, before what it says itself. */
  readonly situation?: Situation
  /** What knows the window of a model. */
  readonly catalogue?: ModelCatalogue
}

const defaultsShape = object<CompileDefaults>({
  model: optional(name),
  policy: optional(name),
  policies: optional(record(objectLike())),
  situation: optional(situationShape),
  catalogue: optional(withMethods<ModelCatalogue>('a catalogue', ['info'])),
})

/**
 * Reads a `prehend.compile/1` document. Strict: what is missing, wrong or unknown is an `invalid-input` that names its
 * path. The window is the model's where the document names none; the layout is `payload`, the policy `balanced`.
 */
export function parseCompileDocument(value: unknown, defaults: CompileDefaults = {}): CompileInput {
  requireDocument(value)
  shape.check(defaultsShape, defaults, 'defaults')
  const { schema: _, policy = defaults.policy, layout = 'payload', model = defaults.model, ...rest } = value
  const inForce = policyOf(policy, defaults.policies)
  // Who asks is known better than by what is said of it.
  const situation =
    inForce.overrides === undefined && rest.situation === undefined ? {} : { ...rest.situation, ...defaults.situation }
  const windowTokens = rest.budget?.windowTokens ?? windowOf(model, defaults.catalogue)
  return {
    ...rest,
    ...(Object.keys(situation).length > 0 && { situation }),
    ...(model === undefined ? {} : { model }),
    budget: { ...rest.budget, windowTokens },
    layout,
    policy: inForce,
  }
}

function requireDocument(value: unknown): asserts value is CompileDocument {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput('document', 'is not an object', `Give a ${compileDocumentSchema} document.`)
  shape.check(compileDocumentShape, value, '', { strict: true })
}

/** The same for a JSON text; throws `invalid-json` with the offset where it stops being JSON. */
export function parseCompileText(source: string, defaults: CompileDefaults = {}): CompileInput {
  shape.check(text, source, 'source')
  return parseCompileDocument(parseJson(source), defaults)
}

function windowOf(model: string | undefined, catalogue: ModelCatalogue = shippedCatalogue): number {
  if (model !== undefined) return catalogue.info(model).windowTokens
  throw invalidInput('budget.windowTokens', 'is missing', 'Give the window in tokens, or name a model.')
}

function policyOf(asked: string | ChangedPolicy | undefined, known: KnownPolicies | undefined): Policy {
  return asked === undefined ? defaultPolicy : readPolicy(asked, { at: 'policy', ...(known && { known }) })
}
