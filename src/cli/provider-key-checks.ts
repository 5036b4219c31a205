import { keyVault, tryProviderKeys } from '../gateway/index.ts'
import type { GatewayConfig } from '../gateway/index.ts'
import { failed, ok, warning } from './health-check.ts'
import type { HealthCheck } from './health-check.ts'
import { printable } from './printable.ts'
import type { FoundStore } from './store-check.ts'

const name = 'keys'

/** Unreadable keys that are named one by one. */
const mostNamed = 20

/** Whether the keys that tenants have for providers can be decrypted. No part of a key is shown. */
export async function providerKeyChecks(
  { providerKeys: settings }: Pick<GatewayConfig, 'providerKeys'>,
  stored: FoundStore['providerKeys'],
): Promise<readonly HealthCheck[]> {
  if (stored.length === 0) return []
  const { readable, unreadable } = await tryProviderKeys(keyVault(settings), stored)
  const tell = settings?.fallBack === true ? warning : failed
  const named = unreadable.slice(0, mostNamed).map(({ tenant, upstream, error }) => {
    const { remedy = 'Set it again with prehend provider-keys set' } = error.data as { readonly remedy?: string }
    const problem = error.message.replace(remedy, '').trim().replace(/\.+$/, '')
    const whose = `the key of ${printable(tenant)} for ${printable(upstream)}`
    return tell(name, `${whose} cannot be read: ${printable(problem)}`, printable(remedy.replace(/\.+$/, '')))
  })
  const more = unreadable.length - named.length
  return [
    ...(readable > 0 ? [ok(name, `${readable} of ${stored.length} keys of tenants can be read`)] : []),
    ...named,
    ...(more > 0 ? [tell(name, `${more} more cannot be read`, 'Do the same for them')] : []),
  ]
}
