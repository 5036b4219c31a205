import type { BudgetRequest, CompileInput, EpochPolicy, Policy } from '../core/index.ts'
import {
  boundaryShape,
  budgetRequestShape,
  cachePricesShape,
  providerEditingShape,
  epochPolicyShape,
  invalidInput,
  itemShape,
  layouts,
  ledgerShape,
  parseJson,
  payloadMarkups,
  policyShape,
  shape,
  signalsShape,
  stepFrameShape,
} from '../core/index.ts'
import { careful, policies } from '../compiler/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

/** The name that a compile document carries in `schema`. */
export const compileDocumentSchema = 'prehend.compile/1'

/** A policy that comes with the product, with what a document changes in it. */
export interface ChangedPolicy extends Omit<Partial<Policy>, 'id' | 'version' | 'epochs'> {
  readonly extends: string
  readonly id: string
  readonly version: string
  readonly epochs?: Partial<EpochPolicy>
}

/** The input of a compile as JSON: policies by name, the window by the model's. */
export interface CompileDocument extends Omit<CompileInput, 'policy' | 'budget' | 'layout'> {
  readonly schema: typeof compileDocumentSchema
  readonly budget?: Partial<BudgetRequest>
  readonly policy?: string | ChangedPolicy
  readonly layout?: CompileInput['layout']
}

const { flag, list, name, object, oneOf, optional, partial, record, share, text } = shape

const changedPolicyShape = object<ChangedPolicy>({
  ...partial(policyShape).members,
  extends: name,
  id: name,
  version: name,
  epochs: optional(partial(epochPolicyShape)),
})

export const compileDocumentShape = object<CompileDocument>({
  schema: oneOf([compileDocumentSchema]),
  items: list(itemShape),
  budget: optional(partial(budgetRequestShape)),
  policy: optional(shape.textOr(name, changedPolicyShape)),
  layout: optional(oneOf(layouts)),
  markup: optional(oneOf(payloadMarkups)),
  taskClass: optional(name),
  model: optional(name),
  frame: optional(stepFrameShape),
  nowMs: optional(shape.finite),
  prices: optional(cachePricesShape),
  editing: optional(providerEditingShape),
  signals: optional(signalsShape),
  handleKey: optional(text),
  boundary: optional(boundaryShape),
  suspicions: optional(record(share)),
  hiddenTools: optional(list(name)),
  rehydration: optional(flag),
  ledger: optional(ledgerShape),
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
  requireDocument(value)
  const { schema: _, policy = defaults.policy, layout = 'payload', model = defaults.model, ...rest } = value
  const windowTokens = rest.budget?.windowTokens ?? windowOf(model, defaults.catalogue)
  return {
    ...rest,
    ...(model === undefined ? {} : { model }),
    budget: { ...rest.budget, windowTokens },
    layout,
    policy: policyOf(policy),
  }
}

function requireDocument(value: unknown): asserts value is CompileDocument {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput('document', 'is not an object', `Give a ${compileDocumentSchema} document.`)
  shape.check(compileDocumentShape, value, '', { strict: true })
}

/** The same for a JSON text; throws `invalid-json` with the offset where it stops being JSON. */
export function parseCompileText(source: string, defaults: CompileDefaults = {}): CompileInput {
  return parseCompileDocument(parseJson(source), defaults)
}

function windowOf(model: string | undefined, catalogue: ModelCatalogue = shippedCatalogue): number {
  if (model !== undefined) return catalogue.info(model).windowTokens
  throw invalidInput('budget.windowTokens', 'is missing', 'Give the window in tokens, or name a model.')
}

function policyOf(asked: string | ChangedPolicy | undefined): Policy {
  if (asked === undefined) return careful
  if (typeof asked === 'string') return named(asked, 'policy')
  const { extends: base, epochs, ...changes } = asked
  const start = named(base, 'policy.extends')
  return { ...start, ...changes, epochs: { ...start.epochs, ...epochs } }
}

function named(id: string, field: string): Policy {
  const policy = Object.hasOwn(policies, id) ? policies[id] : undefined
  if (policy !== undefined) return policy
  throw invalidInput(field, `there is no policy ${id}`, `Use one of ${Object.keys(policies).join(', ')}.`)
}
