import { invalidInput } from '../core/index.ts'
import { knownEndpoint } from '../providers/index.ts'
import type { GatewayConfig } from './config-schema.ts'
import { requireRoutes } from './model-routes.ts'
import { ownSettings, settingsFor } from './tenant-settings.ts'

/** A server of somebody's own is known by its address only. Throws `invalid-input` that names the field. */
export function requireUpstreams({ upstreams }: Pick<GatewayConfig, 'upstreams'>, at = ''): void {
  for (const [name, { baseUrl }] of Object.entries(upstreams))
    if (baseUrl === undefined && knownEndpoint(name) === undefined)
      throw invalidInput(
        `${at}upstreams.${name}.baseUrl`,
        'is needed: nothing is known by this name',
        'Give its address.',
      )
}

/** What a tenant has otherwise must be possible with what all have. Throws `invalid-input` that names the field. */
export function requireTenant(config: GatewayConfig, tenant: string): void {
  const own = ownSettings(config, tenant)
  if (own === undefined) return
  const at = `tenants.${tenant}.`
  const settings = settingsFor(config, tenant)
  if (own.upstreams) requireUpstreams(settings, at)
  if (own.upstreams || own.aliases || own.modelRoutes) requireRoutes(settings, at)
  for (const name of ['sessionIdleDays', 'receiptDays'] as const) {
    const most = config.retention[name]
    const remedy = `The store keeps what there is of all for ${most} days; give less, or raise retention.${name}.`
    if ((own.retention?.[name] ?? 0) > most)
      throw invalidInput(`${at}retention.${name}`, `is more than ${most}`, remedy)
  }
}
