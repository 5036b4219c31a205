import type { RequiredPart } from '../../core/index.ts'
import { PrehendError } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import type { Solution } from '../solve-pack.ts'
import type { Assembled } from './assemble-pack.ts'

export interface ValidateOptions {
  readonly assembled: Assembled
  readonly solution: Solution
}

type Assertion = (options: ValidateOptions) => string | undefined

/** What must be true of every pack before it leaves; a new assertion is a new line here. */
const assertions: Readonly<Record<string, Assertion>> = {
  'within-window': ({ assembled, solution }) => {
    const available = availableTokens(solution.job.budget)
    if (assembled.tokens <= available) return undefined
    return `The pack takes ${assembled.tokens} tokens of ${available}.`
  },
  'task-present': ({ assembled, solution }) => {
    const { frame } = solution.job.input
    if (frame !== undefined || assembled.entries.some(({ section }) => section === 'task' || section === 'query'))
      return undefined
    return 'Nothing says what is to be done: give a frame, a task or a query.'
  },
  'required-parts': ({ assembled, solution }) => {
    const { frame, policy } = solution.job.input
    const present: Readonly<Record<RequiredPart, boolean>> = {
      policy: assembled.entries.some(({ section }) => section === 'policy'),
      goal: given(frame?.goal),
      step: given(frame?.step),
      acceptance: frame?.acceptance?.some(given) ?? false,
      evidence: assembled.entries.some(({ section }) => section === 'evidence'),
    }
    const missing = policy.requires?.filter((part) => !present[part]) ?? []
    return missing.length === 0 ? undefined : `Missing: ${missing.join(', ')}. Give them, or split the step.`
  },
  'within-allocation': ({ solution }) => {
    const over = solution.plans.find(({ section, members }) => {
      const used = members.reduce((sum, index) => {
        const form = solution.forms[index]
        return sum + (form?.tokens ?? 0)
      }, 0)
      return used > (solution.allocated.get(section) ?? 0)
    })
    return over === undefined ? undefined : `Section ${over.section} exceeds its allocation.`
  },
  'evidence-once': ({ solution }) => {
    if (!solution.job.list.repeats) return undefined
    const hashes = solution.job.candidates
      .filter(
        ({ item }, index) => item.section === 'evidence' && item.pin !== true && solution.forms[index] !== undefined,
      )
      .map(({ contentHash, item }) => (item.text === '' || item.group !== undefined ? item.id : contentHash))
    return new Set(hashes).size === hashes.length ? undefined : 'The same evidence stands twice.'
  },
}

function given(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== ''
}

/** Throws `compile-assertion` that names the first assertion that does not hold. */
export function validatePack(options: ValidateOptions): void {
  for (const [assertion, holds] of Object.entries(assertions)) {
    const remedy = holds(options)
    if (remedy !== undefined)
      throw new PrehendError('compile-assertion', `${assertion}: ${remedy}`, { assertion, remedy })
  }
}
