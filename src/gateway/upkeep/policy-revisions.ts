import { policyUpdate, readPolicy, sameWords } from '../../compiler/index.ts'
import type { KnownPolicies } from '../../compiler/index.ts'
import type { Policy } from '../../core/index.ts'
import { isJsonObject, parseJson } from '../../core/index.ts'
import { installation } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { GatewayPolicies } from '../policies.ts'
import { defaultTenant } from '../tenant-names.ts'
import type { EventSink } from '../telemetry/event-ring.ts'
import type { Logger } from '../telemetry/logger.ts'
import { policyRevised } from './audited-changes.ts'

interface Revisions {
  readonly store: Store
  readonly clock: () => number
  readonly logger: Logger
  readonly events: EventSink
}

/**
 * The configuration with a revision for each of its own policies: that of the last start where it says the same, and a higher one where it
 * has changed, which is logged once with all of the change. Rejects with `invalid-input` where a policy has changed and names a revision that is
 * no higher.
 */
export async function withRevisions(
  config: GatewayConfig,
  { own }: Pick<GatewayPolicies, 'own'>,
  { store, clock, logger, events }: Revisions,
): Promise<GatewayConfig> {
  const revisions = new Map<string, number>()
  for (const policy of own) {
    const key = `policy-in-force/${policy.id}`
    const before = lastOf(await store.read('values').get(key))
    const now = revised(policy, before)
    revisions.set(policy.id, now.revision ?? 0)
    if (now === before) continue
    const event = policyUpdate(before, now, before === undefined ? 'created' : 'configured')
    const { revision, trigger, delta } = event
    const writes = [
      { table: 'values', key, value: JSON.stringify(now) } as const,
      policyRevised(policy.id, before, now),
    ]
    await store.commit({ scope: installation, nowMs: clock(), writes })
    logger.info('policy-updated', { policy: policy.id, revision, trigger, delta: JSON.stringify(delta) })
    const tenants = await tenantsOf(config, store)
    const shown = tenants.size === 1 ? event : { ...event, delta: delta.filter(({ path }) => path[0] !== 'overrides') }
    for (const tenant of tenants) events.tell({ tenant, event: shown })
  }
  if (revisions.size === 0) return config
  const policies = config.policies.map((written) => ({
    ...written,
    revision: revisions.get(String(written['id'])) ?? 0,
  }))
  return { ...config, policies }
}

/** Everybody who can ask. */
async function tenantsOf({ tokens }: GatewayConfig, store: Store): Promise<ReadonlySet<string>> {
  if (tokens.length === 0) return new Set([defaultTenant])
  return new Set([...tokens.map(({ tenant }) => tenant), ...(await store.read('keys').tenants())])
}

/** One that names no revision gets the next. */
function revised(policy: Policy, before: Policy | undefined): Policy {
  if (before === undefined) return { ...policy, revision: policy.revision ?? 1 }
  if (sameWords(policy, before) && (policy.revision ?? before.revision) === before.revision) return before
  return { ...policy, revision: policy.revision ?? (before.revision ?? 0) + 1 }
}

/** What cannot be read any more is no policy of before. */
function lastOf(text: string | undefined): Policy | undefined {
  if (text === undefined) return undefined
  try {
    const value = parseJson(text)
    const none: KnownPolicies = {}
    return isJsonObject(value) ? readPolicy(value, { known: none }) : undefined
  } catch {
    return undefined
  }
}
