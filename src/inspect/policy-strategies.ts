import { hash } from 'node:crypto'
import { createCompiler } from '../compiler/index.ts'
import type { CompilerOptions } from '../compiler/index.ts'
import type { CompactionOrder, Policy, SessionLengths, Situation } from '../core/index.ts'
import type { BillingRules } from './billing-rules.ts'
import { prehend } from './prehend-strategy.ts'
import type { PrehendOptions, ToolCharge } from './prehend-strategy.ts'
import type { Strategy } from './strategy.ts'

/** Room enough that nothing but money shortens a recorded session. */
const roomyWindow = 1_000_000

/** A policy, and what its strategy is called in reports. */
export interface NamedStrategyPolicy {
  readonly name: string
  readonly policy: Policy
  readonly packed?: NonNullable<PrehendOptions['packed']>
}

/** What may be told of how recorded sessions are packed. */
export interface PolicyStrategyOptions {
  readonly chargeTool?: ToolCharge
  readonly windowTokens?: number | undefined
  readonly situation?: Situation
  readonly sessionLengths?: SessionLengths
  readonly compaction?: CompactionOrder
  /** Ladders, a scorer or a detector of extensions. */
  readonly extras?: Partial<Pick<CompilerOptions, 'ladders' | 'scorer' | 'detector'>> | undefined
}

/** Policies, compiled as the gateway compiles them and charged for the tool that it offers. */
export function policyStrategies(
  policies: readonly NamedStrategyPolicy[],
  { prices, tokenizer }: BillingRules,
  {
    chargeTool = 'always',
    windowTokens = roomyWindow,
    situation,
    sessionLengths,
    compaction,
    extras,
  }: PolicyStrategyOptions = {},
): readonly Strategy[] {
  const openCompiler = () => createCompiler({ ...extras, tokenizer, hash: (text) => hash('sha256', text, 'hex') })
  return policies.map((own) =>
    prehend({
      ...own,
      prices,
      openCompiler,
      windowTokens,
      chargeTool,
      ...(situation && { situation }),
      ...(sessionLengths && { sessionLengths }),
      ...(compaction && { compaction }),
    }),
  )
}
