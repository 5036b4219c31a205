import type { LadderContext } from '../core/index.ts'
import type { LineScorer } from './line-importance.ts'

/** What a ladder is made with. */
export interface LadderOptions extends LadderContext {
  /** How much each line of a tool result is worth; the built-in rules where absent. */
  readonly lineValue?: LineScorer
}
