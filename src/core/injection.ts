import type { ItemKind } from './item.ts'
import type { Section, Trust } from './section.ts'

export const injectionReasons = [
  'override',
  'role-play',
  'exfiltration',
  'tool-order',
  'concealment',
  'addresses-model',
  'hidden-text',
  'encoded-text',
  'forged-delimiter',
  'forged-authority',
  'dilution',
] as const
/** What a text does that no data has to do. */
export type InjectionReason = (typeof injectionReasons)[number]

/** How likely a text holds orders to the model that reads it. */
export interface InjectionScore {
  /** In [0, 1]. */
  readonly score: number
  /** What spoke for it, of the built-in detector; the strongest first. */
  readonly reasons: readonly string[]
}

/** Where a text stands. */
export interface InjectionContext {
  readonly trust: Trust
  readonly section?: Section
  readonly kind?: ItemKind
}

/** Scores a text. Pure and synchronous: the same text in the same place has the same score, always. */
export interface InjectionDetector {
  /** Stands in receipts; changes when its answers do. */
  readonly id: string
  /** Scores how likely the text holds an order. */
  score(text: string, context: InjectionContext): InjectionScore
}
