import type { BudgetRequest, CompileInput, Policy, StepFrame } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { largestTokens } from './limits.ts'
import { validateTaskState } from './validate-task-state.ts'

const overflowPolicies = ['truncate-lowest', 'cascade-compress', 'defer-retrieval', 'fail-loud', 'paginate']

const markupNames = ['headers', 'xml', 'canonical']

const requiredParts = ['policy', 'goal', 'step', 'acceptance', 'evidence']

/** Throws `invalid-input` that names the first field that is not what it should be. Items are checked as they are read. */
export function validateInput(input: CompileInput): void {
  if (typeof input !== 'object' || input === null)
    throw invalidInput('input', 'is not an object', 'Give a compile input.')
  if (!Array.isArray(input.items)) throw invalidInput('items', 'is not a list', 'Give the items, or an empty list.')
  if (input.layout !== 'messages' && input.layout !== 'payload')
    throw invalidInput('layout', 'is unknown', 'Use `messages` or `payload`.')
  if (input.markup !== undefined && !markupNames.includes(input.markup))
    throw invalidInput('markup', 'is unknown', `Use one of ${markupNames.join(', ')}.`)
  if (input.taskClass !== undefined && typeof input.taskClass !== 'string')
    throw invalidInput('taskClass', 'is not a name', 'Name the class of the task, or leave it out.')
  validateBudget(input.budget)
  validatePolicy(input.policy)
  if (input.frame !== undefined) validateFrame(input.frame)
  validateSignals(input)
  validateSession(input)
}

function validateBudget(budget: BudgetRequest): void {
  if (typeof budget !== 'object' || budget === null)
    throw invalidInput('budget', 'is not an object', 'Give at least windowTokens.')
  if (!isCount(budget.windowTokens) || budget.windowTokens === 0)
    throw invalidInput('budget.windowTokens', 'is not a size', `Give a whole number from 1 to ${largestTokens}.`)
  for (const name of ['maxOutputTokens', 'overheadTokens'] as const) {
    const tokens = budget[name]
    if (tokens !== undefined && !isCount(tokens))
      throw invalidInput(
        `budget.${name}`,
        'is not a count of tokens',
        `Give a whole number from 0 to ${largestTokens}.`,
      )
  }
  if (budget.sections !== undefined && !Array.isArray(budget.sections))
    throw invalidInput('budget.sections', 'is not a list', 'Give one entry per section.')
  const seen = new Set<string>()
  for (const [index, section] of (budget.sections ?? []).entries()) {
    const at = `budget.sections[${index}]`
    if (
      typeof section !== 'object' ||
      section === null ||
      typeof section.section !== 'string' ||
      section.section === ''
    )
      throw invalidInput(`${at}.section`, 'is not a name', 'Name the section.')
    if (seen.has(section.section)) throw invalidInput(`${at}.section`, 'stands twice', 'Give each section once.')
    seen.add(section.section)
    validateSectionFields(section, at)
  }
}

const sectionRules = {
  min: [isCount, 'a whole number from 0'],
  max: [isCount, 'a whole number from 0'],
  tier: [(value: unknown) => isCount(value) && Number(value) <= 5, 'a tier from 0 to 5'],
  weight: [isShare, 'a number from 0 to 1'],
  alpha: [isPositive, 'a number above 0'],
  beta: [isPositive, 'a number above 0'],
  base: [isAmount, 'a number from 0'],
  cost: [isAmount, 'a number from 0'],
} as const satisfies Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>

function validateSectionFields(section: NonNullable<BudgetRequest['sections']>[number], at: string): void {
  for (const name of Object.keys(sectionRules) as (keyof typeof sectionRules)[]) {
    const [accepts, wanted] = sectionRules[name]
    if (section[name] !== undefined && !accepts(section[name]))
      throw invalidInput(`${at}.${name}`, `is not ${wanted}`, `Give ${wanted}.`)
  }
  if (section.min !== undefined && section.max !== undefined && section.min > section.max)
    throw invalidInput(`${at}.min`, `exceeds max ${section.max}`, 'Give a minimum that is at most the maximum.')
}

function validatePolicy(policy: Policy): void {
  if (typeof policy !== 'object' || policy === null)
    throw invalidInput('policy', 'is not an object', 'Give a policy, such as `careful`.')
  if (typeof policy.id !== 'string' || policy.id === '')
    throw invalidInput('policy.id', 'is not a name', 'Name the policy.')
  if (!Array.isArray(policy.shares))
    throw invalidInput('policy.shares', 'is not a list', 'Give the shares of the sections.')
  if (!overflowPolicies.includes(policy.overflow))
    throw invalidInput('policy.overflow', 'is unknown', `Use one of ${overflowPolicies.join(', ')}.`)
  for (const [task, overflow] of Object.entries(policy.overflowFor ?? {}))
    if (!overflowPolicies.includes(overflow))
      throw invalidInput(`policy.overflowFor.${task}`, 'is unknown', `Use one of ${overflowPolicies.join(', ')}.`)
  if (policy.requires !== undefined && !(Array.isArray(policy.requires) && policy.requires.every(isRequirable)))
    throw invalidInput('policy.requires', 'is not a list of parts', `Name some of ${requiredParts.join(', ')}.`)
  if (policy.provenance !== undefined && policy.provenance !== 'source' && policy.provenance !== 'full')
    throw invalidInput('policy.provenance', 'is unknown', 'Use `source` or `full`.')
  if (!isShare(policy.reserveShare))
    throw invalidInput('policy.reserveShare', 'is not a share', 'Give a number from 0 to 1.')
  validateFigures('policy.floors', policy.floors, ['relevance', 'freshness', 'authority'])
  validateFigures('policy.rank', policy.rank, ['relevance', 'authority', 'freshness', 'utility', 'thrift'])
  validateFigures('policy.pressure', policy.pressure, ['prepare', 'compress', 'evict'])
  if (typeof policy.epochs !== 'object' || policy.epochs === null)
    throw invalidInput('policy.epochs', 'is not an object', 'Start from a policy that comes with the product.')
  if (!isAmount(policy.costSensitivity))
    throw invalidInput('policy.costSensitivity', 'is not a rate', 'Give a number from 0.')
  for (const [index, share] of policy.shares.entries()) {
    const at = `policy.shares[${index}]`
    if (typeof share !== 'object' || share === null || typeof share.section !== 'string')
      throw invalidInput(`${at}.section`, 'is not a name', 'Name the section.')
    for (const name of ['min', 'max', 'weight'] as const)
      if (!isShare(share[name])) throw invalidInput(`${at}.${name}`, 'is not a share', 'Give a number from 0 to 1.')
    if (share.min > share.max)
      throw invalidInput(`${at}.min`, 'exceeds max', 'Give a minimum that is at most the maximum.')
  }
}

function validateFigures<Name extends string>(
  field: string,
  figures: Readonly<Record<Name, number>>,
  names: readonly Name[],
): void {
  if (typeof figures !== 'object' || figures === null)
    throw invalidInput(field, 'is not an object', `Give ${names.join(', ')}.`)
  for (const name of names)
    if (!isAmount(figures[name])) throw invalidInput(`${field}.${name}`, 'is not a figure', 'Give a number from 0.')
}

function validateFrame(frame: StepFrame): void {
  if (typeof frame !== 'object' || frame === null || typeof frame.request !== 'string')
    throw invalidInput('frame.request', 'is not a text', "Give the user's words, or leave the frame out.")
  for (const name of ['role', 'goal', 'step'] as const)
    if (frame[name] !== undefined && typeof frame[name] !== 'string')
      throw invalidInput(`frame.${name}`, 'is not a text', 'Give a text, or leave it out.')
  if (frame.state !== undefined) validateTaskState(frame.state)
  for (const name of ['constraints', 'acceptance'] as const) {
    const lines = frame[name]
    if (lines !== undefined && !(Array.isArray(lines) && lines.every((line) => typeof line === 'string')))
      throw invalidInput(`frame.${name}`, 'is not a list of texts', 'Give one text per entry.')
  }
}

const signalRules = {
  checklistEvidenceRatio: [isShare, 'a number from 0 to 1'],
  expectedToolCalls: [isAmount, 'a number from 0'],
  risk: [(value: unknown) => value === 'low' || value === 'medium' || value === 'high', 'low, medium or high'],
  retrievalHitRate: [isShare, 'a number from 0 to 1'],
  similarity: [isShare, 'a number from 0 to 1'],
  freshnessDays: [isAmount, 'a number of days from 0'],
  unresolvedQuestions: [isAmount, 'a number from 0'],
  dialogueDepth: [isAmount, 'a number of turns from 0'],
} as const satisfies Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>

function validateSignals({ signals }: CompileInput): void {
  if (signals === undefined) return
  if (typeof signals !== 'object' || signals === null)
    throw invalidInput('signals', 'is not an object', 'Give the signals, or leave them out.')
  for (const name of Object.keys(signalRules) as (keyof typeof signalRules)[]) {
    const [accepts, wanted] = signalRules[name]
    if (signals[name] !== undefined && !accepts(signals[name]))
      throw invalidInput(`signals.${name}`, `is not ${wanted}`, `Give ${wanted}, or leave it out.`)
  }
}

function validateSession({ ledger, nowMs, prices, handleKey, rehydration, model }: CompileInput): void {
  if (handleKey !== undefined && typeof handleKey !== 'string')
    throw invalidInput('handleKey', 'is not a text', 'Give a secret text, or leave it out.')
  if (rehydration !== undefined && typeof rehydration !== 'boolean')
    throw invalidInput('rehydration', 'is not true or false', 'Say whether handles can be followed.')
  if (model !== undefined && typeof model !== 'string')
    throw invalidInput('model', 'is not a name', 'Name the model, or leave it out.')
  if (ledger !== undefined && (ledger?.schema !== 'prehend.ledger/1' || !Array.isArray(ledger.entries)))
    throw invalidInput(
      'ledger.schema',
      'is not prehend.ledger/1',
      'Give the ledger of the last compile, or leave it out.',
    )
  if (nowMs !== undefined && !Number.isFinite(nowMs))
    throw invalidInput('nowMs', 'is not a time', 'Give milliseconds, or leave it out.')
  if (prices === undefined) return
  if (typeof prices !== 'object' || prices === null)
    throw invalidInput('prices', 'is not an object', 'Give the prices, or leave them out.')
  for (const name of ['read', 'write', 'minTokens', 'ttlMs'] as const)
    if (!isAmount(prices[name])) throw invalidInput(`prices.${name}`, 'is not a figure', 'Give a number from 0.')
}

function isRequirable(part: unknown): boolean {
  return typeof part === 'string' && requiredParts.includes(part)
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestTokens
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Infinity
}

function isPositive(value: unknown): boolean {
  return isAmount(value) && Number(value) > 0
}
