import { installation, valueHash } from '../../stores/index.ts'
import type { Store, Write } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'

/** Who makes changes that a configuration asks for. */
const process = { actor: 'process', from: 'local' } as const

/** That another configuration is in force. Secrets are in no hash. */
export async function auditReload(
  { store, clock }: { readonly store: Store; readonly clock: () => number },
  before: GatewayConfig,
  after: GatewayConfig,
): Promise<void> {
  const change = { action: 'config.reload', target: 'configuration' }
  const hashes = { beforeHash: valueHash(withoutSecrets(before)), afterHash: valueHash(withoutSecrets(after)) }
  const writes = [{ table: 'audit', ...process, ...change, ...hashes }] as const
  await store.commit({ scope: installation, nowMs: clock(), writes })
}

/** That a policy of the configuration has another revision, for the unit that stores it. */
export function policyRevised(policy: string, before: object | undefined, after: object): Write {
  const hashes = { ...(before && { beforeHash: valueHash(before) }), afterHash: valueHash(after) }
  return { table: 'audit', ...process, action: 'policy.revise', target: policy, ...hashes }
}

const secrets: ReadonlySet<string> = new Set([
  'token',
  'apiKey',
  'hot',
  'headers',
  'env',
  'secret',
  'previousSecrets',
  'secretAccessKey',
  'sessionToken',
])

function withoutSecrets(config: GatewayConfig): unknown {
  const shown = (name: string, value: unknown): unknown => (secrets.has(name) ? undefined : value)
  return JSON.parse(JSON.stringify(config, shown))
}
