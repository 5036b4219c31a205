import type { ItemHistory } from '../hygiene/item-history.ts'
import type { LayoutParts } from '../layout/layout-parts.ts'
import type { Solution } from '../overflow/overflow.ts'
import type { Prepared } from '../receipt/receipt-of.ts'
import type { ReliefView } from '../relief/relief-view.ts'
import type { Allocated } from '../stages/allocate.ts'

export interface ReliefProblem extends Prepared {
  readonly parts: LayoutParts
  /** What no item owns, an account of what is cut included. */
  readonly ownTokens: number
  /** What no item owns where something else stands in the frame. */
  ownTokensWith(assembly: Prepared['layout']['assembly']): number
}

/** The steps of relief that a policy names. */
export interface Relieving {
  view(history: ItemHistory, prepared: Prepared): ReliefView
  /** A payload after these steps; with a shortage where they are not enough. */
  relieved(problem: ReliefProblem, view: ReliefView, allocated: Allocated): Solution
}
