import { PrehendError, didYouMean, isPrehendError } from '../core/index.ts'
import type { CompactionConfig } from '../core/index.ts'
import type * as Gateway from '../gateway/index.ts'
import type { ReadAnswer } from '../gateway/index.ts'
import { errorMessageIn, jsonRequest, requireAddress, sentTo } from './gateway-request.ts'
import type { GatewayAddress } from './gateway-request.ts'
import { openStoreThere, storeOptions } from './store-place.ts'
import { variablesOf } from './variables.ts'
import { randomText } from '../host/index.ts'
import {
  compactSession,
  compilers,
  handoffSession,
  judgedReceipt,
  readTurnLog,
  recordOutcome,
  storedSessionName,
} from '../sessions/index.ts'
import type {
  CompactionResult,
  GivenOutcome,
  HandoffHost,
  HandoffResult,
  JudgedReceipt,
  TurnLog,
  TurnLogQuery,
} from '../sessions/index.ts'
import { shippedCatalogue, tokenizerFor } from '../tokens/index.ts'
import type {
  ReceiptQuery,
  ReceiptSummary,
  RecordedOutcome,
  SessionQuery,
  SessionSummary,
  Store,
} from '../stores/index.ts'
import type { OptionTable } from './command.ts'
import type { Io } from './io.ts'

/** Where receipts are read: the store's file, or a gateway that runs. */
export interface Receipts {
  list(query: ReceiptQuery): Promise<readonly ReceiptSummary[]>
  one(id: string): Promise<JudgedReceipt>
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>
  /** The log of a session. */
  turns(session: string, query: TurnLogQuery): Promise<TurnLog>
  /** Of a session and its requests, the oldest first; none where there is no such session. */
  outcomes(session: string): Promise<readonly RecordedOutcome[]>
  /** Records an outcome; undefined where there is no such session or request. Rejects with `conflict`, and with what the gateway says against it. */
  outcome(session: string, given: GivenOutcome): Promise<RecordedOutcome | undefined>
  /** Orders a compaction. Rejects with `not-found`, and with what the gateway says against it. */
  compact(session: string, asked: CompactionAsked): Promise<CompactionResult>
  /** Begins a session with a briefing of another one. Rejects as `compact` does. */
  handOver(session: string, asked: CompactionAsked): Promise<HandoffResult>
}

export type CompactionAsked = Pick<CompactionConfig, 'preserveRecent' | 'summaryBudget' | 'customInstructions'>

export const receiptOptions = {
  ...storeOptions,
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
    about: 'tenant of the receipts, when read from the store',
    placeholder: 'TENANT',
    fallback: 'default',
  },
} as const satisfies OptionTable

export interface ReceiptSource {
  readonly data?: string
  readonly store?: string
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
  const store = await openStoreThere(source, io)
  const tenant = source.tenant ?? 'default'
  const of = (name: string) => ({ tenant, session: storedSessionName(name) })
  try {
    return await work({
      list: (query) => store.read('receipts').list(tenant, named(query)),
      sessions: (query) => store.read('results').sessions(tenant, named(query)),
      turns: (session, query) => readTurnLog(store, of(session), query),
      outcomes: (session) => store.read('outcomes').list(tenant, storedSessionName(session)),
      outcome: (session, given) => recordOutcome({ store, clock: Date.now }, of(session), given).catch(unlessMissing),
      compact: (session, asked) => compactSession(compactionHost(store), of(session), asked),
      handOver: (session, asked) => handoffSession(compactionHost(store), of(session), asked),
      one: async (id) => {
        const receipts = store.read('receipts')
        const found = await receipts.get(tenant, id)
        if (found) return judgedReceipt(store, tenant, found)
        const [session] = await store.read('results').sessions(tenant, { limit: 1, session: id })
        return missing(id, await receipts.list(tenant, { limit: nearNames }), session !== undefined)
      },
    })
  } finally {
    await store.close()
  }
}

/** The same query by the name under which its session is stored. */
function named<Query extends { readonly session?: string | undefined }>(query: Query): Query {
  return query.session === undefined ? query : { ...query, session: storedSessionName(query.session) }
}

function unlessMissing(error: unknown): undefined {
  if (isPrehendError(error) && error.code === 'not-found') return undefined
  throw error
}

/** Without a gateway no model is asked: a briefing is put together of what was said. */
function compactionHost(store: Store): HandoffHost {
  return {
    store,
    clock: Date.now,
    compile: compilers(shippedCatalogue),
    newName: () => `cli_${randomText(16)}`,
    count: (text, model) => tokenizerFor(model ?? '').count(text),
  }
}

type GatewayApi = typeof Gateway

/** Reads what the routes of a gateway answer, as these state it; a newer one may use words that are not known here. */
function gatewayReceipts(url: string, token: string | undefined): Receipts {
  requireAddress(url)
  // Whoever reads a store does not wait for it.
  const api = import('../gateway/index.ts')
  const asked = async <Value>(path: string, read: (api: GatewayApi, body: unknown) => ReadAnswer<Value>) => {
    const body = await bodyFrom({ url, token }, path)
    if (body === undefined) return undefined
    const found = read(await api, body)
    return 'answer' in found ? found.answer : notOurs(url, found.problem)
  }
  const list = async ({ limit, before, session }: ReceiptQuery): Promise<readonly ReceiptSummary[]> => {
    const path = pathOf('/v1/packs', { limit, before, session })
    const page = await asked(path, ({ readAnswer, listPacks }, body) => readAnswer(listPacks, body))
    return (page?.data ?? notOurs(url)) as readonly ReceiptSummary[]
  }
  return {
    list,
    async sessions({ limit, session }) {
      const path = pathOf('/v1/sessions', { limit, session })
      const page = await asked(path, ({ readAnswer, listSessions }, body) => readAnswer(listSessions, body))
      return page?.data ?? notOurs(url)
    },
    async turns(session, query) {
      const path = pathOf(`/v1/sessions/${encodeURIComponent(session)}/turns`, { ...query })
      const log = await asked(path, ({ readAnswer, showTurns }, body) => readAnswer(showTurns, body))
      return log ?? notOurs(url)
    },
    async outcomes(session) {
      const path = pathOf('/v1/outcomes', { session, limit: 1000 })
      const page = await asked(path, ({ readAnswer, listOutcomes }, body) => readAnswer(listOutcomes, body))
      return (page?.data ?? []).map(recordedIn)
    },
    async outcome(session, given) {
      const body = await answerTo({ url, token }, '/v1/outcomes', { session, ...given })
      if (body === undefined) return undefined
      const found = (await api).readAnswer((await api).addOutcome, body)
      return 'answer' in found ? recordedIn(found.answer) : notOurs(url, found.problem)
    },
    async compact(session, how) {
      const path = `/v1/sessions/${encodeURIComponent(session)}/compact`
      const body = await answerTo({ url, token }, path, { ...how, strategy: 'compact' })
      const found = (await api).readAnswer((await api).compactNow, body)
      return 'answer' in found ? found.answer : notOurs(url, found.problem)
    },
    async handOver(session, { summaryBudget, customInstructions }) {
      const path = `/v1/sessions/${encodeURIComponent(session)}/handoff`
      const body = await answerTo({ url, token }, path, { summaryBudget, customInstructions })
      const found = (await api).readAnswer((await api).handOver, body)
      return 'answer' in found ? found.answer : notOurs(url, found.problem)
    },
    async one(id) {
      const path = `/v1/packs/${encodeURIComponent(id)}`
      const found = await asked(path, ({ readAnswer, showPack }, body) => readAnswer(showPack, body))
      if (found !== undefined) return found as JudgedReceipt
      const query = pathOf('/v1/sessions', { limit: 1, session: id })
      const page = await asked(query, ({ readAnswer, listSessions }, body) => readAnswer(listSessions, body))
      return missing(id, await list({ limit: nearNames }), (page?.data.length ?? 0) > 0)
    },
  }
}

/** As a store has it: its session is known. */
function recordedIn(answer: RecordedOutcome & { readonly session: string }): RecordedOutcome {
  const { session: _, ...outcome } = answer
  return outcome
}

function pathOf(path: string, given: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value))
  return `${path}?${query.toString()}`
}

/** What a gateway answers to what it is told to do. Throws what it says against it. */
async function answerTo(at: GatewayAddress, path: string, said: object): Promise<unknown> {
  const answer = await bodyFrom(at, path, said)
  const problem = errorMessageIn(answer)
  if (problem === undefined) return answer
  const remedy = 'See what the gateway says'
  throw new PrehendError('store-failed', problem, { remedy })
}

/** What a gateway answers; undefined where it has no such thing. */
async function bodyFrom(at: GatewayAddress, path: string, said?: object): Promise<unknown> {
  const { origin } = new URL(at.url)
  const response = await sentTo(at, path, said === undefined ? {} : jsonRequest('POST', said))
  if (response.status === 404) return undefined
  if (response.status === 401) {
    const remedy = 'Give its token with --token'
    throw new PrehendError('unauthorized', `${origin} asks for a token. ${remedy}.`, { remedy })
  }
  // Who answers with anything else is no gateway.
  return response.json().catch(() => notOurs(origin))
}

function missing(id: string, known: readonly ReceiptSummary[], isSession: boolean): never {
  if (isSession) {
    const name = /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id)
    throw notFound(`pack ${id}`, `There is a session of that name: prehend packs --session ${name}`)
  }
  const near = didYouMean(
    id,
    known.flatMap(({ requestId, packId }) => [requestId, packId]),
  )
  const isPath = /[/\\]|\.jsonl?$/.test(id)
  throw notFound(`${isPath ? 'file or ' : ''}pack ${id}`, `${near}List packs with prehend packs`)
}

/** The session of a name; throws `not-found` with a name that is near. */
export async function sessionNamed({ sessions }: Pick<Receipts, 'sessions'>, session: string): Promise<SessionSummary> {
  const [found] = await sessions({ limit: 1, session })
  if (found !== undefined) return found
  const known = (await sessions({ limit: nearNames })).map((one) => one.session)
  const remedy = known.length === 0 ? 'There are no sessions yet' : 'List them with prehend sessions'
  throw notFound(`session ${session}`, `${didYouMean(session, known)}${remedy}`)
}

/** Names, newest first, that an unknown one is compared with. */
const nearNames = 200

function notOurs(url: string, problem?: string): never {
  const what = problem === undefined ? '' : ` whose answers are known here (${problem})`
  throw notFound(`gateway at ${url}${what}`, 'Check the address, and that both are of one version')
}

function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
