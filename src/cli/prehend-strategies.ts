import { balanced, careful, thrifty } from '../compiler/index.ts'
import { policyAt } from './policy-file.ts'
import { policyStrategies } from '../inspect/index.ts'
import type { BillingRules, NamedStrategyPolicy, PolicyStrategyOptions, Strategy } from '../inspect/index.ts'

const prefix = 'prehend:'

/** What else may be told of how recorded sessions are packed. */
export interface PrehendChoice extends PolicyStrategyOptions {
  /** Each a strategy of its own, `careful`, `balanced` and `thrifty` by default. */
  readonly policies?: readonly NamedStrategyPolicy[]
}

const shipped = [careful, balanced, thrifty].map((policy) => ({ name: `${prefix}${policy.id}`, policy }))

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
  rules: BillingRules,
  { policies = shipped, ...options }: PrehendChoice = {},
): Promise<readonly Strategy[]> {
  return policyStrategies(policies, rules, options)
}
