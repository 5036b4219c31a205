import { invalidInput } from '../core/index.ts'
import { isLoopback } from '../gateway/index.ts'
import { providerEndpoints } from '../providers/index.ts'
import type { GatewayConfig } from '../gateway/index.ts'
import type { ServingOptions } from './serving-options.ts'

type Asked = Pick<ServingOptions, 'simulate' | 'script' | 'store'>

/**
 * Throws `invalidInput` where the simulated provider would answer clients of a gateway that other machines reach, or that keeps its data in a
 * database, and nobody has asked for it: its answers look like those of a model.
 */
export function requireProvider({ host, tokens, upstreams }: GatewayConfig, asked: Asked): void {
  if (isSimulationAsked(asked) || Object.keys(upstreams).length > 0) return
  // Beyond loopback a gateway without a token is refused for that.
  if (isLoopback(host) ? asked.store === undefined : tokens.length === 0) return
  const where = isLoopback(host) ? 'with a store in PostgreSQL' : `on ${host}`
  const keys = Object.values(providerEndpoints).map(({ keyVariable }) => keyVariable)
  throw invalidInput(
    'upstreams',
    `is empty, and no key of a provider is set: ${where} the simulated provider answers only where --simulate asks for it`,
    `Set ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}, give --upstream NAME, or give --simulate (PREHEND_SIMULATE=1).`,
  )
}

/** Whether somebody has asked for the simulated provider by name. */
export function isSimulationAsked({ simulate, script }: Pick<Asked, 'simulate' | 'script'>): boolean {
  return simulate === true || script !== undefined
}
