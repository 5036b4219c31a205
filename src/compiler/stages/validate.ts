import type { CompileInput, PackEntry, RequiredPart } from '../../core/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import type { Assembled } from './assemble.ts'
import type { Allocated } from './allocate.ts'
import { usedTokens } from './compress-into.ts'
import type { Compressed } from './compress-input.ts'
import type { SectionPlan } from './plan-sections.ts'

export interface ValidateInput {
  readonly request: Pick<CompileInput, 'frame' | 'policy' | 'layout'>
  readonly candidates: readonly Candidate[]
  /** Whether any content may stand twice. */
  readonly repeats: boolean
  readonly allocated: Pick<Allocated, 'plans' | 'availableTokens'>
  readonly compressed: Pick<Compressed, 'forms' | 'sections' | 'granted'>
  readonly assembled: Assembled
}

type Assertion = (input: ValidateInput) => string | undefined

/** What must be true of every pack before it leaves; a new assertion is a new line here. */
const assertions = Object.entries<Assertion>({
  'within-window': ({ assembled, allocated: { availableTokens } }) => {
    if (assembled.tokens <= availableTokens) return undefined
    return `The pack takes ${assembled.tokens} tokens of ${availableTokens}.`
  },
  // A conversation is what is to be done.
  'task-present': ({ assembled: { entries }, request: { frame, layout } }) => {
    if (layout === 'messages' || frame !== undefined || holds(entries, 'task') || holds(entries, 'query'))
      return undefined
    return 'Nothing says what is to be done: give a frame, a task or a query.'
  },
  'required-parts': ({ assembled: { entries }, request: { frame, policy } }) => {
    const isPresent: Readonly<Record<RequiredPart, () => boolean>> = {
      policy: () => holds(entries, 'policy'),
      goal: () => given(frame?.goal),
      step: () => given(frame?.step),
      acceptance: () => frame?.acceptance?.some(given) ?? false,
      evidence: () => holds(entries, 'evidence'),
    }
    const missing = policy.requires?.filter((part) => !isPresent[part]()) ?? []
    return missing.length === 0
      ? undefined
      : `Missing: ${missing.join(', ')}. Give them, ask the planner for them, or split the step.`
  },
  'constraint-share': ({ assembled: { constraintTokens = 0, tokens }, request: { policy } }) => {
    const most = policy.payload?.maxConstraintShare ?? 1
    if (constraintTokens <= most * tokens) return undefined
    return `Constraints take ${constraintTokens} of ${tokens} tokens, more than ${most * 100}%. Say them shorter, or drop some.`
  },
  'within-allocation': ({ allocated: { plans }, compressed: { forms, sections, granted } }) => {
    const used = (plan: SectionPlan): number => sections?.get(plan.section)?.tokens ?? usedTokens(forms, plan)
    const over = plans.find((plan) => used(plan) > (granted.get(plan.section) ?? 0))
    return over === undefined ? undefined : `Section ${over.section} exceeds its allocation.`
  },
  'evidence-once': ({ candidates, repeats, compressed: { forms }, request: { layout } }) => {
    // What a conversation has shown twice already stays as the provider's cache holds it.
    if (!repeats || layout === 'messages') return undefined
    return standsTwice(candidates, forms) ? 'The same evidence stands twice.' : undefined
  },
})

function standsTwice(candidates: readonly Candidate[], forms: readonly (Form | undefined)[]): boolean {
  const hashes = candidates
    .filter(({ item }, index) => item.section === 'evidence' && item.pin !== true && forms[index] !== undefined)
    .map(({ contentHash, item }) => (item.text === '' || item.group !== undefined ? item.id : contentHash))
  return new Set(hashes).size < hashes.length
}

function holds(entries: readonly PackEntry[], wanted: string): boolean {
  return entries.some(({ section }) => section === wanted)
}

function given(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== ''
}

/** Throws `compile-assertion` with the id of the compile's receipt that names the first assertion that does not hold. */
export function validatePack(input: ValidateInput, traceId: () => string): void {
  for (const [assertion, check] of assertions) {
    const remedy = check(input)
    if (remedy !== undefined)
      throw new PrehendError('compile-assertion', `${assertion}: ${remedy}`, { assertion, remedy, traceId: traceId() })
  }
}
