import type { Section } from './section.ts'
import type { Pack } from './pack.ts'

/** How a compile ended. Nothing is ever cut without one of these saying so. */
export type Outcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'retrieval-pending'; readonly deferredIds: readonly string[] }
  | {
      readonly kind: 'split-required'
      readonly neededTokens: number
      readonly availableTokens: number
      readonly reason: string
    }
  | { readonly kind: 'paginated'; readonly pages: readonly Pack[] }
  | {
      readonly kind: 'budget-exhausted'
      readonly neededTokens: number
      readonly availableTokens: number
      readonly sections: readonly Section[]
    }
