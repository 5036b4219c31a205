import type { Section } from './section.ts'
import type { Pack } from './pack.ts'

/** How a compile ended. Nothing is ever cut without one of these saying so. */
export type Outcome =
  /**
   * The pack fits. `omitted` counts the items that it does not show, duplicates aside: 0 means that every item is there, whole or
   * shorter. `manifest.decisions` has the reason for each.
   */
  | { readonly kind: 'ok'; readonly omitted: number }
  /** Evidence waits for a later request: `deferredIds`, which `omitted` counts too. */
  | { readonly kind: 'retrieval-pending'; readonly omitted: number; readonly deferredIds: readonly string[] }
  | {
      readonly kind: 'split-required'
      readonly neededTokens: number
      readonly availableTokens: number
      readonly reason: string
    }
  /**
   * Of a payload, every piece of evidence stands on one of the pages and the rest on each. Of a conversation, what came before its
   * first answer and its end stand on each, the rest on one, and each says which it is, in an entry of its own (`pageNoteId`).
   */
  | { readonly kind: 'paginated'; readonly pages: readonly Pack[] }
  | {
      readonly kind: 'budget-exhausted'
      readonly neededTokens: number
      readonly availableTokens: number
      readonly sections: readonly Section[]
    }

/** Outcomes without a pack. */
export type RefusalKind = 'split-required' | 'budget-exhausted'

/** The entry in which a page of a conversation says which it is; it is no item of the compile's. */
export const pageNoteId = 'prehend.page'

/** What it says: the page's number, from 1, and how many there are. */
export function pageNoteText(page: number, pages: number): string {
  return `[page ${page} of ${pages} of this conversation: its beginning and its end stand on every page, and what is between them on one]`
}
