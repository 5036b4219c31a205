import type { Exchange } from '../../exchange/exchange.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import { wantedOf } from '../../upstream/upstreams.ts'

const own = 'api.anthropic.com'

/** Whether a request goes to Anthropic itself, which keeps definitions of tools aside: what stands before it may know no such member. */
export function keepsAside({ config, upstreams }: GatewayParts, exchange: Exchange): boolean {
  try {
    const { upstream, dialect } = upstreams.for(wantedOf(exchange))
    if (dialect !== 'anthropic-messages') return false
    const { baseUrl } = settingsFor(config, exchange.tenant).upstreams[upstream.name] ?? {}
    if (baseUrl !== undefined) return new URL(baseUrl).hostname === own
    return upstream.name === 'anthropic' || upstream.name === 'simulated'
  } catch {
    // Where it goes nowhere, the outlet says so.
    return false
  }
}
