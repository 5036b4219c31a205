import type { BriefBudgets, Item } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'

/** A text by a model in place of what the model said within some steps. */
export interface WrittenLog {
  readonly first: number
  readonly last: number
  /** Indexes of the items of these steps. */
  readonly indexes: readonly number[]
  readonly prose: string
}

export interface BriefInput {
  /** The whole conversation, in order. */
  readonly items: readonly Item[]
  /** The number of the call of each item, from 1. */
  readonly steps: readonly number[]
  /** Indexes of the items that the brief stands for, in order. */
  readonly gone: readonly number[]
  readonly budgets: BriefBudgets
  readonly facts: FactReader
  /** Tools of ours; what they brought back is no step of the work. */
  readonly hiddenTools?: readonly string[] | undefined
  /** Parts of the log that a model has written. */
  readonly written?: readonly WrittenLog[]
  /** Tokens of a text. */
  count(text: string): number
}
