import type { LadderContext } from '../core/index.ts'
import type { LineScorer } from './line-importance.ts'
import type { FactReader } from './text-facts.ts'

/** What a ladder is made with. */
export interface LadderOptions extends LadderContext {
  /** How much each line of a tool result is worth; the built-in rules where absent. */
  readonly lineValue?: LineScorer
  /** Remembers what stands in texts, where the caller keeps such a reader. */
  readonly facts?: FactReader
}
