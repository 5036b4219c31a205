import { hash } from 'node:crypto'
import { careful, createCompiler, thrifty } from '../compiler/index.ts'
import { prehend } from '../inspect/index.ts'
import type { BillingRules, Strategy, ToolCharge } from '../inspect/index.ts'

/** Room enough that nothing but money shortens a recorded session. */
const windowTokens = 1_000_000

/** The shipped profiles, compiled as the gateway compiles them and charged for the tool that it offers. */
export async function prehendStrategies(
  { prices, tokenizer }: BillingRules,
  chargeTool: ToolCharge = 'always',
): Promise<readonly Strategy[]> {
  const { rehydrateTool } = await import('../sessions/index.ts')
  const tool = JSON.stringify(rehydrateTool.definition)
  const openCompiler = () => createCompiler({ tokenizer, hash: (text) => hash('sha256', text, 'hex') })
  return [careful, thrifty].map((policy) =>
    prehend({ name: `prehend:${policy.id}`, policy, prices, openCompiler, windowTokens, tool, chargeTool }),
  )
}
