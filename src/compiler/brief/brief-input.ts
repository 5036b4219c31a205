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

export interface BriefInput extends WorkInput {
  readonly budgets: BriefBudgets
  /** Parts of the log that a model has written. */
  readonly written?: readonly WrittenLog[]
  /** Tokens of a text. */
  count(text: string): number
}

/** The part of a conversation whose work is looked at. */
export interface WorkInput {
  /** The whole conversation, in order. */
  readonly items: readonly Item[]
  /** The number of the call of each item, from 1. */
  readonly steps: readonly number[]
  /** Indexes of the items that the brief stands for, in order. */
  readonly gone: readonly number[]
  readonly facts: FactReader
  /** Tools of ours; what they brought back is no step of the work. */
  readonly hiddenTools?: readonly string[] | undefined
}
