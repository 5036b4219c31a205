import type { Policy, PolicyChanges } from '../../core/index.ts'
import { didYouMean, invalidInput, modelTiers } from '../../core/index.ts'

/** An override for a tier of models is for one that there is, and cannot decide the tier. */
export function requireTier({ modelPreference }: PolicyChanges, field: string): void {
  if (!modelTiers.some((tier) => field.endsWith(`.${tier}`)))
    throw invalidInput(field, 'is no tier of models', `There are ${modelTiers.join(', ')}.`)
  if (modelPreference !== undefined)
    throw invalidInput(`${field}.modelPreference`, 'comes too late: it decides the tier', 'Say it at another level.')
}

/** A strategy that is used is one of the policy's. */
export function requireStrategy({ retrieval }: Policy, changes: PolicyChanges['retrieval'], field: string): void {
  if (changes === undefined) return
  if (retrieval === undefined)
    throw invalidInput(field, 'changes a search that the policy does not describe', 'Give policy.retrieval.strategies.')
  const { use } = changes
  const known = Object.keys(retrieval.strategies)
  if (use === undefined || known.includes(use)) return
  const remedy = `${didYouMean(use, known)}There are ${known.join(', ') || 'none'}.`
  throw invalidInput(`${field}.use`, `${use} is no strategy`, remedy)
}
