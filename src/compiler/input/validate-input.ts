import type { CompileInput, Ledger, Section, StepFrame } from '../../core/index.ts'
import {
  boundaryShape,
  budgetRequestShape,
  givenSummaryShape,
  cachePricesShape,
  didYouMean,
  compactionOrderShape,
  providerEditingShape,
  sessionLengthsShape,
  invalidInput,
  isKnownSection,
  layouts,
  packScopeShape,
  ledgerShape,
  mediaMakingShape,
  payloadMarkups,
  sections,
  shape,
  signalsShape,
  similarityShape,
  situationShape,
  stepFrameShape,
} from '../../core/index.ts'
import { requireOrder, validatePolicy } from '../policy/sound-policy.ts'
import { requireNoSlip } from '../policy/validate-sections.ts'

const { check, checkMembers, finite, flag, list, name, oneOf, record, share, text } = shape

const inputMembers: ReadonlySet<string> = new Set(
  Object.keys({
    items: true,
    budget: true,
    policy: true,
    layout: true,
    markup: true,
    taskClass: true,
    situation: true,
    model: true,
    frame: true,
    scope: true,
    ledger: true,
    nowMs: true,
    prices: true,
    compaction: true,
    editing: true,
    sessionLengths: true,
    tenantCredit: true,
    signals: true,
    handleKey: true,
    hiddenTools: true,
    boundary: true,
    suspicions: true,
    similarities: true,
    summaries: true,
    making: true,
    rehydration: true,
  } satisfies Readonly<Record<keyof CompileInput, true>>),
)

const layoutShape = oneOf(layouts)

/** What is misspelt would else be left out without a word. */
const strictly = { strict: true } as const

/** Throws `invalid-input` that names the first field that is not what it should be. Items are checked as they are read. */
export function validateInput(input: CompileInput): void {
  if (typeof input !== 'object' || input === null)
    throw invalidInput('input', 'is not an object', 'Give a compile input.')
  if (!Array.isArray(input.items)) throw invalidInput('items', 'is not a list', 'Give the items, or an empty list.')
  checkMembers(input, inputMembers)
  check(layoutShape, input.layout, 'layout')
  check(budgetRequestShape, input.budget, 'budget', strictly)
  validateSections(input.budget)
  validatePolicy(input.policy)
  validateLedger(input.ledger)
  for (const [field, known] of optionalFields)
    if (input[field] !== undefined) check(known, input[field], field, strictly)
  validateTask(input.frame)
}

/** Who names a goal has a task, and a task says what is to be done now and when it is done. */
function validateTask({ goal, step, acceptance = [] }: Partial<StepFrame> = {}): void {
  if (goal === undefined) return
  if (step === undefined) throw invalidInput('frame.step', 'is missing', 'Say which step of the task is to be taken.')
  if (acceptance.length === 0)
    throw invalidInput('frame.acceptance', 'is missing', 'Give at least one criterion by which the step is done.')
}

const optionalFields = [
  ['markup', oneOf(payloadMarkups)],
  ['taskClass', text],
  ['situation', situationShape],
  ['frame', stepFrameShape],
  ['scope', packScopeShape],
  ['signals', signalsShape],
  ['handleKey', text],
  ['boundary', boundaryShape],
  ['suspicions', record(share)],
  ['similarities', list(similarityShape)],
  ['summaries', list(givenSummaryShape)],
  ['hiddenTools', list(name)],
  ['making', mediaMakingShape],
  ['rehydration', flag],
  ['model', name],
  ['nowMs', finite],
  ['prices', cachePricesShape],
  ['compaction', compactionOrderShape],
  ['editing', providerEditingShape],
  ['sessionLengths', sessionLengthsShape],
  ['tenantCredit', finite],
] as const satisfies readonly (readonly [keyof CompileInput, shape.Shape<unknown>])[]

function validateSections({ sections: asked = [] }: CompileInput['budget']): void {
  const seen = new Set<string>()
  for (const [index, { section, min, max }] of asked.entries()) {
    const at = `budget.sections[${index}]`
    if (seen.has(section)) throw invalidInput(`${at}.section`, 'stands twice', 'Give each section once.')
    seen.add(section)
    requireNoSlip(section, `${at}.section`)
    if (min !== undefined && max !== undefined) requireOrder(min, max, at)
  }
}

const names = sections.map((known) => known.section)

/** A section that nobody names is a slip of the pen: its items would stand where no rule of theirs applies. */
export function requireKnownSections({ items, policy, budget }: CompileInput, present: Iterable<Section>): void {
  let named: Set<Section> | undefined
  for (const section of present) {
    if (isKnownSection(section)) continue
    named ??= new Set([...policy.shares, ...(budget.sections ?? [])].map((entry) => entry.section))
    if (named.has(section)) continue
    const index = items.findIndex((item) => item.section === section)
    throw invalidInput(
      `items[${index}].section`,
      `there is no section ${section}`,
      `${didYouMean(section, names)}Use one of ${names.join(', ')}, or name it in the policy's shares or the budget.`,
    )
  }
}

/** Ledgers, and lists of decisions, that this process made or has looked at; thousands are not read again for every request. */
const sound = new WeakSet<object>()

/** To be called with every ledger that a compile gives out. */
export function rememberLedger(ledger: Ledger): void {
  sound.add(ledger)
  if (ledger.layout === 'messages') sound.add(ledger.entries)
}

function validateLedger(ledger: Ledger | undefined): void {
  if (ledger === undefined || sound.has(ledger)) return
  const entries: unknown = ledger?.layout === 'messages' ? ledger.entries : undefined
  const isKnown = typeof entries === 'object' && entries !== null && sound.has(entries)
  check(ledgerShape, isKnown ? { ...ledger, entries: [] } : ledger, 'ledger')
  rememberLedger(ledger)
}
