import type { BillingRuleName } from '../src/inspect/index.ts'
import type { GatedFigures, GateSet } from './policy-gates.ts'
import { madeKinds } from './made-sessions/made-sessions.ts'
import { recordedSets } from './recorded-sets.ts'

export const ruleNames = ['plain', 'anthropic', 'openai', 'deepseek', 'Gemini', 'OpenRouter'] as const
export type RuleName = (typeof ruleNames)[number]

/** The rules by which gates are held. */
export const gatedRules = ['plain', 'anthropic', 'openai', 'deepseek'] as const satisfies readonly (RuleName &
  BillingRuleName)[]

/** Policies that have gates, as far as they come with the product. */
export const gatedPolicies = ['careful', 'balanced', 'thrifty'] as const

/** Sets of sessions, and the kind that gates know them by. */
export const gatedSets: readonly (readonly [name: string, set: GateSet])[] = [
  ...recordedSets.map(
    ([name], index) => [name, (['swe', 'long', 'mcp', 'airline'] as const)[index] ?? 'made'] as const,
  ),
  ...madeKinds.map((kind) => [kind, 'made'] as const),
]

/** Sessions of one set by the rules of one provider, sent by one policy. */
export interface GateFigures extends GatedFigures {
  readonly rule: RuleName
  readonly set: string
  readonly policy: string
}

/** What one child has to send. */
export interface GateWork {
  readonly rule: RuleName
  readonly data: string
  readonly policies: readonly string[]
  readonly sets: readonly string[]
}
