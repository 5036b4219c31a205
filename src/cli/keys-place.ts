import { invalidInput } from '../core/index.ts'
import type { ChangedBy, KeyHost, KeyName, NewKey, ShownKey } from '../gateway/index.ts'
import { askGateway } from './gateway-request.ts'
import type { GatewayAddress, GatewayRequest } from './gateway-request.ts'
import type { Io } from './io.ts'
import { openStoreThere, storeOptions } from './store-place.ts'
import type { OptionTable } from './command.ts'
import { variablesOf } from './variables.ts'

export type SecretKey = ShownKey & { readonly secret: string; readonly warnings?: readonly string[] }
export type RotatedKey = SecretKey & { readonly replaced: ShownKey }

export interface KeyListed {
  readonly tenant?: string | undefined
  readonly limit: number
}

/** Where keys are managed: a gateway that runs, or the store's file. */
export interface KeysPlace {
  list(query: KeyListed): Promise<readonly ShownKey[]>
  show(id: string): Promise<ShownKey>
  create(given: Omit<NewKey, 'tenant'>): Promise<SecretKey>
  rotate(id: string, graceMs: number): Promise<RotatedKey>
  revoke(id: string): Promise<ShownKey>
}

/** Where something is managed, and in whose name. */
export const placeOptions = {
  ...storeOptions,
  url: {
    type: 'text',
    about: 'ask the gateway at this address and not the store',
    placeholder: 'URL',
    variables: variablesOf('URL'),
  },
  token: {
    type: 'text',
    about: 'token for that gateway, with the scope admin or operator',
    placeholder: 'TOKEN',
    variables: variablesOf('CLIENT_TOKEN'),
  },
} as const satisfies OptionTable

export interface PlaceGiven {
  readonly data?: string
  readonly store?: string
  readonly url?: string
  readonly token?: string
  readonly tenant?: string
}

/** Opens a place of keys for as long as `work` takes. */
export async function withKeys<Result>(
  given: PlaceGiven,
  io: Io,
  work: (keys: KeysPlace) => Promise<Result>,
): Promise<Result> {
  const { url, token, tenant } = given
  if (url !== undefined) return work(keysOfGateway({ url, token }, tenant))
  const store = await openStoreThere(given, io)
  try {
    const host = { store, clock: Date.now, changed: async () => undefined }
    return await work(await keysOfStore(host, tenant, { actor: localActor(io), from: 'local' }))
  } finally {
    await store.close()
  }
}

/** Who changes a store on its own machine, by the name that the system gives. */
export function localActor({ environment }: Io): string {
  const user = environment['USER'] ?? environment['USERNAME']
  return user === undefined ? 'cli' : `cli ${user}`
}

async function keysOfStore(host: KeyHost, tenant: string | undefined, by: ChangedBy): Promise<KeysPlace> {
  const { createKey, findKey, keyNamed, makeKey, requireLimitableRoutes, revokeKey, rotateKey, shownKey } =
    await import('../gateway/index.ts')
  const named = (id: string): Promise<KeyName> => findKey(host.store, { id, tenant })
  const shown = (key: Parameters<typeof shownKey>[0]): ShownKey => shownKey(key, host.clock())
  return {
    async list({ tenant: of, limit }) {
      const found = await host.store.read('keys').list({ ...(of !== undefined && { tenant: of }), limit })
      return found.map(shown)
    },
    show: async (id) => shown(await keyNamed(host.store, await named(id))),
    async create(given) {
      const asked = { ...given, tenant: tenant ?? 'default' }
      const [problem] = createKey.body?.safeParse(asked).error?.issues ?? []
      if (problem) throw invalidInput(problem.path.map(String).join('.'), problem.message, 'See prehend keys --help.')
      requireLimitableRoutes(given.allowedRoutes)
      const { key, secret } = await makeKey(host, asked, by)
      return { ...shown(key), secret }
    },
    async rotate(id, graceMs) {
      const { key, secret, replaced } = await rotateKey(host, await named(id), { graceMs }, by)
      return { ...shown(key), secret, replaced: shown(replaced) }
    },
    revoke: async (id) => shown(await revokeKey(host, await named(id), by)),
  }
}

function keysOfGateway(at: GatewayAddress, tenant: string | undefined): KeysPlace {
  const ask = async <Answer>(asked: GatewayRequest): Promise<Answer> => (await askGateway(at, asked)) as Answer
  const query = tenant === undefined ? '' : `?${new URLSearchParams({ tenant }).toString()}`
  const pathOf = (id: string, more = ''): string => `/v1/keys/${encodeURIComponent(id)}${more}${query}`
  return {
    async list({ tenant: of, limit }) {
      const asked = new URLSearchParams({ limit: String(limit), ...(of !== undefined && { tenant: of }) })
      const { data } = await ask<{ data: readonly ShownKey[] }>({ path: `/v1/keys?${asked.toString()}` })
      return data
    },
    show: (id) => ask({ path: pathOf(id) }),
    create: (given) => {
      const body = { ...given, ...(tenant !== undefined && { tenant }) }
      return ask({ method: 'POST', path: '/v1/keys', body })
    },
    rotate: (id, graceMs) => ask({ method: 'POST', path: pathOf(id, '/rotate'), body: { graceMs } }),
    revoke: (id) => ask({ method: 'DELETE', path: pathOf(id) }),
  }
}
