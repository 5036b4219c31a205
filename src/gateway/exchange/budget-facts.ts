import type { FactsSource } from './trace.ts'
import type { FactsSchema } from './facts.ts'

const facts = {
  /** What all calls of the request were counted with before they were sent. */
  reservedUsd: { type: 'number' },
  reservedTokens: { type: 'number' },
  /** What they came to. */
  spentUsd: { type: 'number' },
  spentTokens: { type: 'number' },
  calls: { type: 'number' },
  /** The smallest share that is left of a budget of dollars or tokens. */
  left: { type: 'number' },
  /** Whether it was packed as `cost-first` has it, because little is left. */
  isThrifty: { type: 'boolean' },
  /** Whether the model's price is not known, so that the dearest of its provider counts. */
  isDearestPrice: { type: 'boolean' },
} as const satisfies FactsSchema

/** What receipts say of budgets. */
export const budgetFacts: FactsSource<typeof facts> & { readonly facts: typeof facts } = { name: 'budget', facts }
