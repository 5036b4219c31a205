import { hash } from 'node:crypto'
import { careful, createCompiler, thrifty } from '../compiler/index.ts'
import { policyAt } from './policy-file.ts'
import { prehend } from '../inspect/index.ts'
import type { BillingRules, PrehendOptions, Strategy, ToolCharge } from '../inspect/index.ts'
import type { Policy, Situation } from '../core/index.ts'

/** Room enough that nothing but money shortens a recorded session. */
const roomyWindow = 1_000_000

const prefix = 'prehend:'

/** What else may be told of how recorded sessions are packed. */
export interface PrehendChoice {
  readonly chargeTool?: ToolCharge
  /** Each a strategy of its own, `careful` and `thrifty` unless told. */
  readonly policies?: readonly NamedStrategyPolicy[]
  readonly windowTokens?: number | undefined
  readonly situation?: Situation
}

interface NamedStrategyPolicy {
  readonly name: string
  readonly policy: Policy
  readonly packed?: NonNullable<PrehendOptions['packed']>
}

const shipped = [careful, thrifty].map((policy) => ({ name: `${prefix}${policy.id}`, policy }))

/** Policies that strategies name: those of a report, and whatever else is asked for by a name or a file. */
export function strategyPolicies(names: readonly string[] = []): readonly NamedStrategyPolicy[] {
  const others = names.filter((name) => name.startsWith(prefix) && !shipped.some((own) => own.name === name))
  const asked = [...new Set(others)].map((name) => ({
    name,
    policy: policyAt(name.slice(prefix.length), '--strategy').policy,
  }))
  return [...shipped, ...asked]
}

/** Policies, compiled as the gateway compiles them and charged for the tool that it offers. */
export async function prehendStrategies(
  { prices, tokenizer }: BillingRules,
  choice: PrehendChoice = {},
): Promise<readonly Strategy[]> {
  const { chargeTool = 'always', policies = shipped, windowTokens = roomyWindow, situation } = choice
  const { rehydrateTool } = await import('../sessions/index.ts')
  const tool = JSON.stringify(rehydrateTool.definition)
  const openCompiler = () => createCompiler({ tokenizer, hash: (text) => hash('sha256', text, 'hex') })
  return policies.map((own) =>
    prehend({ ...own, prices, openCompiler, windowTokens, tool, chargeTool, ...(situation && { situation }) }),
  )
}
