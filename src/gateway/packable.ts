import { composePolicy } from '../compiler/index.ts'
import type { Outcome, Policy, PrehendError, Situation } from '../core/index.ts'
import { invalidInput, isPrehendError, overrideLevels } from '../core/index.ts'
import { compileMemory, compilers, singleRequest } from '../sessions/index.ts'
import { modelCatalogue } from '../tokens/index.ts'
import type { CatalogueOptions } from '../tokens/index.ts'

/** Of any model; the window of one is checked where the model is configured. */
const anyModel = 'any-model'
const anyWindow = 128_000

const messages = [
  { role: 'system', content: 'Help.' },
  { role: 'user', content: 'Hello.' },
]
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]

export interface Trial {
  readonly tenant?: string | undefined
  /** Whether the conversation has a tool: what settings say of tools must leave room for one. */
  readonly hasTool?: boolean
}

/**
 * Compiles the smallest of conversations in every situation that a policy has overrides for. Throws `invalid-input` of field `policy` where it
 * cannot be packed: no other conversation could. Pure.
 */
export function requirePackable(policy: Policy, { tenant, hasTool = false }: Trial = {}): void {
  for (const situation of situationsOf(policy, tenant)) {
    const problem = problemOf(policy, { situation, windowTokens: anyWindow, hasTool })
    if (problem === undefined) continue
    const [where] = composePolicy(policy, situation).overrides.slice(-1)
    const when = Object.keys(situation).length > (tenant === undefined ? 0 : 1) && where ? ` in ${where}` : ''
    throw invalidInput('policy', `cannot pack the smallest conversation${when}: ${problem.why}`, problem.remedy)
  }
}

/** The same for the window of a model that a configuration has figures of. Throws `invalid-input` that names the model. */
export function requireWindow(
  policy: Policy,
  { models, model, field }: { readonly models: Models; readonly model: string; readonly field: string },
): void {
  const catalogue = modelCatalogue({ models, tokenizer: 'heuristic' })
  requireLarger(catalogue.info(model).windowTokens, models[model]?.largerWindow?.windowTokens, field)
  const problem = problemOf(policy, { catalogue, model, hasTool: models[model]?.toolPrompt !== undefined })
  if (problem === undefined) return
  const remedy = 'Correct its windowTokens, countFactor and toolPrompt, or leave them out.'
  throw invalidInput(field, `leaves no room for the smallest conversation: ${problem.why}`, remedy)
}

function requireLarger(usual: number, larger: number | undefined, field: string): void {
  if (larger === undefined || larger > usual) return
  const remedy = 'Give a larger number, or correct windowTokens of the model.'
  throw invalidInput(`${field}.largerWindow.windowTokens`, `is ${larger}, and the usual window is ${usual}`, remedy)
}

type Models = NonNullable<CatalogueOptions['models']>

interface Tried {
  readonly situation?: Situation
  readonly catalogue?: ReturnType<typeof modelCatalogue>
  readonly model?: string
  readonly windowTokens?: number
  readonly hasTool?: boolean
}

const estimates = modelCatalogue({ tokenizer: 'heuristic' })

interface Refusal {
  readonly why: string
  readonly remedy: string
}

function problemOf(
  policy: Policy,
  { situation, catalogue = estimates, model = anyModel, windowTokens, hasTool = false }: Tried,
): Refusal | undefined {
  const body = { model, messages, ...(hasTool && { tools }) }
  try {
    const { input } = singleRequest(JSON.stringify(body), body, { catalogue, policy, windowTokens })
    const { outcome } = compilers(catalogue)(model, { ...input, ...(situation && { situation }) }, compileMemory())
    if (outcome.kind === 'ok') return undefined
    return outcome.kind === 'budget-exhausted' ? lackingRoom(outcome) : { why: outcome.kind, remedy: moreRoom }
  } catch (error) {
    if (!isPrehendError(error)) throw error
    return { why: whyOf(error), remedy: error.code === 'compile-assertion' ? otherPolicy : error.data.remedy }
  }
}

const moreRoom = 'Leave more room for a request.'

type Exhausted = Extract<Outcome, { readonly kind: 'budget-exhausted' }>

/** A request can have room enough, and too little in one of its sections. */
function lackingRoom({ neededTokens, availableTokens, sections }: Exhausted): Refusal {
  if (neededTokens > availableTokens)
    return { why: `it needs ${neededTokens} tokens and has ${availableTokens}`, remedy: moreRoom }
  const named = sections.join(' and ')
  const remedy = `Raise the limit of ${named}, or leave it out.`
  return { why: `the policy allows ${named} fewer tokens than one definition or message takes`, remedy }
}

const otherPolicy =
  'Choose a policy for conversations here, and name this one in the documents that are compiled by it.'

function whyOf({ message, data }: PrehendError): string {
  return 'assertion' in data ? `it asserts ${data.assertion}` : message.replace(`. ${data.remedy}`, '')
}

/** With no override by name, and with each alone. */
function situationsOf({ overrides = {} }: Policy, tenant: string | undefined): readonly Situation[] {
  const always = tenant === undefined ? {} : { tenant }
  const own =
    tenant !== undefined && overrides.tenant && Object.hasOwn(overrides.tenant, tenant) ? overrides.tenant[tenant] : {}
  const named = overrideLevels.flatMap((level) => {
    if (level === 'tenant') return []
    const names = new Set([...Object.keys(overrides[level] ?? {}), ...Object.keys(own?.[level] ?? {})])
    return [...names].map((name): Situation => ({ ...always, [level]: name }))
  })
  return [always, ...named]
}
