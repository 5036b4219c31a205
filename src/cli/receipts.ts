import { existsSync } from 'node:fs'
import { PrehendError, invalidInput, isJsonObject } from '../core/index.ts'
import { dataOption, openStore, storeFile } from './store-place.ts'
import { variablesOf } from './variables.ts'
import type { Receipt, ReceiptQuery, ReceiptSummary, SessionQuery, SessionSummary } from '../stores/index.ts'
import type { OptionTable } from './command.ts'
import type { Io } from './io.ts'

/** Where receipts are read: the store's file, or a gateway that runs. */
export interface Receipts {
  list(query: ReceiptQuery): Promise<readonly ReceiptSummary[]>
  one(id: string): Promise<Receipt>
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>
}

export const receiptOptions = {
  data: dataOption,
  url: {
    type: 'text',
    about: 'ask the gateway at this address and not the store',
    placeholder: 'URL',
    variables: variablesOf('URL'),
  },
  token: {
    type: 'text',
    about: 'token for that gateway',
    placeholder: 'TOKEN',
    variables: variablesOf('CLIENT_TOKEN'),
  },
  tenant: {
    type: 'text',
    about: 'whose receipts, when read from the store',
    placeholder: 'TENANT',
    fallback: 'default',
  },
} as const satisfies OptionTable

export interface ReceiptSource {
  readonly data?: string
  readonly url?: string
  readonly token?: string
  readonly tenant?: string
}

/** Opens a source of receipts for as long as `work` takes. */
export async function withReceipts<Result>(
  source: ReceiptSource,
  io: Io,
  work: (receipts: Receipts) => Promise<Result>,
): Promise<Result> {
  if (source.url !== undefined) return work(gatewayReceipts(source.url, source.token))
  const path = storeFile(source.data, io.environment)
  if (!existsSync(path))
    throw notFound(path, 'Start a gateway first, name its folder with --data, or its address with --url')
  const store = await openStore(path, io)
  const tenant = source.tenant ?? 'default'
  try {
    return await work({
      list: (query) => store.receipts(tenant, query),
      sessions: (query) => store.sessions(tenant, query),
      one: async (id) => (await store.receipt(tenant, id)) ?? missing(id),
    })
  } finally {
    await store.close()
  }
}

/** Throws `invalid-input` for what is no address of a gateway. */
function checkAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw invalidInput('--url', `${JSON.stringify(url)} is no address`, 'Give one such as http://127.0.0.1:8484')
}

function gatewayReceipts(url: string, token: string | undefined): Receipts {
  checkAddress(url)
  const ask = async (path: string): Promise<unknown> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(new URL(path, url), { headers }).catch((error: unknown) => {
      const remedy = 'Check that a gateway runs there'
      throw new PrehendError('upstream-unreachable', `${url} does not answer. ${remedy}.`, { remedy }, error)
    })
    if (response.status === 404) return undefined
    if (response.status === 401) {
      const remedy = 'Give its token with --token'
      throw new PrehendError('unauthorized', `${url} asks for a token. ${remedy}.`, { remedy })
    }
    // Who answers with anything else is no gateway.
    return response.json().catch(() => notOurs(url))
  }
  const listed = async (path: string): Promise<unknown[]> => {
    const answer = await ask(path)
    const data = isJsonObject(answer) ? answer['data'] : undefined
    return Array.isArray(data) ? data : notOurs(url)
  }
  return {
    async list({ limit, before, session }) {
      const query = new URLSearchParams({ limit: String(limit) })
      if (before !== undefined) query.set('before', String(before))
      if (session !== undefined) query.set('session', session)
      return (await listed(`/v1/packs?${query.toString()}`)) as ReceiptSummary[]
    },
    async sessions({ limit, session }) {
      const query = new URLSearchParams({ limit: String(limit), ...(session !== undefined && { session }) })
      return (await listed(`/v1/sessions?${query.toString()}`)) as SessionSummary[]
    },
    async one(id) {
      const answer = await ask(`/v1/packs/${encodeURIComponent(id)}`)
      if (answer === undefined) return missing(id)
      return isJsonObject(answer) && 'manifest' in answer ? (answer as unknown as Receipt) : notOurs(url)
    },
  }
}

function missing(id: string): never {
  throw notFound(`pack ${id}`, 'List them with prehend packs')
}

function notOurs(url: string): never {
  throw notFound(`gateway at ${url}`, 'Check the address')
}

function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
