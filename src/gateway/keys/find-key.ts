import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Store } from '../../stores/index.ts'

/** The tenant of a virtual key, and its id. */
export interface KeyName {
  readonly tenant: string
  readonly id: string
}

/** A key by its id, and by its tenant where one is given. */
export interface WantedKey {
  readonly id: string
  readonly tenant?: string | undefined
}

/**
 * Names the tenant of a key, for an operator: ids are random, so that one is found in whatever tenant it is. Rejects with `not-found`, which
 * says whose it is where another tenant was given, and with `invalid-input` where several tenants have a key with this id.
 */
export async function findKey(store: Store, { id, tenant }: WantedKey): Promise<KeyName> {
  const keys = store.read('keys')
  if (tenant !== undefined && (await keys.get(tenant, id))) return { tenant, id }
  const owners: string[] = []
  for (const name of await keys.tenants()) if (await keys.get(name, id)) owners.push(name)
  const [owner, ...others] = owners
  if (owner === undefined) throw noSuchKey()
  if (tenant !== undefined) throw keyOfAnother(owner)
  if (others.length === 0) return { tenant: owner, id }
  throw invalidInput('tenant', `is needed: ${owners.join(', ')} each have a key ${id}`, `Name one of them (--tenant).`)
}

export function noSuchKey(): PrehendError<'not-found'> {
  const remedy = 'List keys with GET /v1/keys or prehend keys list.'
  return new PrehendError('not-found', `There is no such key. ${remedy}`, { what: 'key', remedy })
}

function keyOfAnother(owner: string): PrehendError<'not-found'> {
  const remedy = `Name the tenant ${owner} (--tenant ${owner}), or none.`
  return new PrehendError('not-found', `This key is one of the tenant ${owner}. ${remedy}`, { what: 'key', remedy })
}
