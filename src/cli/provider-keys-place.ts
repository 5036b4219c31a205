import { invalidInput } from '../core/index.ts'
import type { Rewrapped, ShownProviderKey } from '../gateway/index.ts'
import { fileConfig } from './gateway-file.ts'
import type { GatewayFile } from './gateway-file.ts'
import { askGateway } from './gateway-request.ts'
import type { GatewayRequest } from './gateway-request.ts'
import type { Io } from './io.ts'
import { localActor } from './keys-place.ts'
import type { PlaceGiven } from './keys-place.ts'
import { openStoreThere } from './store-place.ts'

/** A key, and whether the gateway that was asked can read it. */
export type ListedProviderKey = ShownProviderKey & { readonly state?: string }

/** Where keys of tenants for providers are managed: a gateway that runs, or a store. */
export interface ProviderKeysPlace {
  list(): Promise<readonly ListedProviderKey[]>
  set(upstream: string, key: string): Promise<ListedProviderKey>
  remove(upstream: string): Promise<ListedProviderKey>
  rewrap(): Promise<Rewrapped>
}

export interface ProviderKeysGiven extends PlaceGiven, GatewayFile {}

export async function withProviderKeys<Result>(
  given: ProviderKeysGiven,
  io: Io,
  work: (keys: ProviderKeysPlace) => Promise<Result>,
): Promise<Result> {
  const { tenant = 'default' } = given
  if (given.url !== undefined) return work(keysOfGateway({ ...given, url: given.url }, tenant))
  const config = await fileConfig(given, io)
  const gateway = await import('../gateway/index.ts')
  const store = await openStoreThere(given, io)
  const host = { store, clock: Date.now, vault: gateway.keyVault(config.providerKeys) }
  const by = { actor: localActor(io), from: 'local' }
  try {
    return await work({
      list: async () => (await store.read('provider-keys').list(tenant)).map(gateway.shownProviderKey),
      set(upstream, key) {
        const named = { tenant, upstream }
        // Without its file nobody knows which servers of its own a gateway has.
        if (given.config !== undefined && !gateway.isUpstreamOf(config, named))
          throw invalidInput(
            'UPSTREAM',
            `${given.config} names no ${upstream}`,
            'Correct it, or name a known provider.',
          )
        const read = gateway.newProviderKey.safeParse({ key })
        if (!read.success)
          throw invalidInput('key', read.error.issues[0]?.message ?? 'is not valid', 'Check what was given.')
        return gateway.setProviderKey(host, { ...named, key }, by)
      },
      remove: (upstream) => gateway.removeProviderKey(host, { tenant, upstream }, by),
      rewrap: () => gateway.rewrapProviderKeys(host, by),
    })
  } finally {
    await store.close()
  }
}

function keysOfGateway({ url, token }: PlaceGiven & { readonly url: string }, tenant: string): ProviderKeysPlace {
  const ask = async <Answer>(asked: GatewayRequest): Promise<Answer> =>
    (await askGateway({ url, token }, asked)) as Answer
  const path = `/v1/tenants/${encodeURIComponent(tenant)}/provider-keys`
  const pathOf = (upstream: string): string => `${path}/${encodeURIComponent(upstream)}`
  return {
    list: async () => (await ask<{ readonly data: readonly ListedProviderKey[] }>({ path })).data,
    set: (upstream, key) => ask({ method: 'PUT', path: pathOf(upstream), body: { key } }),
    remove: (upstream) => ask({ method: 'DELETE', path: pathOf(upstream) }),
    rewrap: () => ask({ method: 'POST', path: '/v1/provider-keys/rewrap', body: {} }),
  }
}
