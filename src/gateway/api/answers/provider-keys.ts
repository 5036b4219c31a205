import type { z } from 'zod'
import { invalidInput } from '../../../core/index.ts'
import type { ServingParts } from '../../parts.ts'
import {
  removeProviderKey,
  rewrapProviderKeys,
  setProviderKey,
  shownProviderKey,
} from '../../provider-keys/change-provider-keys.ts'
import type { ShownProviderKey } from '../../provider-keys/change-provider-keys.ts'
import { keyVault } from '../../provider-keys/key-vault.ts'
import type { ProviderKeyName } from '../../provider-keys/sealed-keys.ts'
import { isUpstreamOf } from '../../tenancy/effective-config.ts'
import type { Answered, Asked } from '../route.ts'
import type { newProviderKey, providerKey, rewrapped } from '../schemas/tenant-settings.ts'
import type { listProviderKeys } from '../routes/tenant-routes.ts'
import { tenantInPath } from './whose.ts'

type KeyParts = Pick<ServingParts, 'config' | 'store' | 'clock' | 'tenancy'>
type Shown = Answered<z.output<typeof providerKey>>

export async function answerProviderKeys(
  parts: KeyParts,
  asked: Asked,
): Promise<Answered<z.output<NonNullable<(typeof listProviderKeys)['answer']>>>> {
  const found = await parts.store.read('provider-keys').list(tenantInPath(asked))
  return { object: 'list', data: found.map((one) => shown(parts, shownProviderKey(one))) }
}

export async function answerNewProviderKey(
  parts: KeyParts,
  asked: Asked<z.ZodObject, typeof newProviderKey>,
): Promise<Shown> {
  const named = nameOf(asked)
  requireUpstream(parts, named)
  const made = await setProviderKey(hostOf(parts), { ...named, key: asked.body.key }, byOf(asked))
  await parts.tenancy.changed()
  return shown(parts, made)
}

export async function answerDroppedProviderKey(parts: KeyParts, asked: Asked): Promise<Shown> {
  const named = nameOf(asked)
  const state = shownState(parts, named)
  const removed = await removeProviderKey(parts, named, byOf(asked))
  await parts.tenancy.changed()
  return { ...removed, state, isCurrent: isCurrent(parts, removed) }
}

export async function answerRewrap(
  parts: KeyParts,
  asked: Pick<Asked, 'asker'>,
): Promise<Answered<z.output<typeof rewrapped>>> {
  const done = await rewrapProviderKeys(hostOf(parts), byOf(asked))
  await parts.tenancy.changed()
  return done
}

function hostOf({ config, store, clock }: KeyParts) {
  return { store, clock, vault: keyVault(config.providerKeys) }
}

function shown(parts: KeyParts, key: ShownProviderKey): Shown {
  return { ...key, state: shownState(parts, key), isCurrent: isCurrent(parts, key) }
}

function isCurrent({ config }: KeyParts, key: ShownProviderKey): boolean {
  return keyVault(config.providerKeys).isCurrent(`${key.wrappedBy}:`)
}

function shownState({ tenancy }: KeyParts, { tenant, upstream }: ProviderKeyName): Shown['state'] {
  return tenancy.isReadable(tenant, upstream) ? 'ready' : 'unreadable'
}

function byOf({ asker: { keyId: actor, from } }: Pick<Asked, 'asker'>) {
  return { actor, from }
}

function nameOf(asked: Asked): ProviderKeyName {
  return { tenant: tenantInPath(asked), upstream: asked.params['upstream'] ?? '' }
}

/** A key for nothing would never be used. */
function requireUpstream({ config }: KeyParts, named: ProviderKeyName): void {
  if (isUpstreamOf(config, named)) return
  const known = Object.keys(config.upstreams).join(', ')
  const remedy = `Name a known provider${known === '' ? '' : `, or one of ${known}`}; a server of your own stands in upstreams of the configuration first.`
  throw invalidInput('upstream', `nothing is known of ${named.upstream}`, remedy)
}
