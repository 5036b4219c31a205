import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { claimValue, threadedSqliteStore } from '../../stores/index.ts'
import type { ThreadedStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { Gateway, GatewayConfigInput, LogFields, OpenGatewayParts } from '../index.ts'
import type { ThreadNews } from '../threads/messages.ts'
import { openaiFixture, post } from './test-gateway.fixture.ts'

export interface ThreadedGateway {
  readonly url: string
  readonly store: ThreadedStore
  readonly log: readonly { readonly event: string; readonly fields: LogFields }[]
  /** The thread that carries what is large. */
  readonly thread: () => Worker | undefined
  /** Requests that threads have carried to their end. */
  readonly carried: () => number
  /** The threads that have carried them, one for each, in the order in which they ended. */
  readonly carriers: () => readonly Worker[]
  /** Requests that they have begun to answer and not carried to their end. */
  readonly underway: () => number
  close(graceMs?: number): Promise<void>
}

const closers: (() => Promise<void>)[] = []

export async function closeThreadedGateways(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** The same in every gateway of these tests, so that their handles are. */
const handleSecret = 'not a secret'

interface ThreadedHost extends Pick<OpenGatewayParts, 'tracing' | 'blobs'> {
  /** Of extensions whose tables the store has. */
  readonly modules?: readonly string[]
}

/** A gateway before a provider on a socket, which has everything carried by `threads` other threads. */
export async function threadedGateway(
  providerUrl: string,
  given: GatewayConfigInput = {},
  { modules = [], ...host }: ThreadedHost = {},
): Promise<ThreadedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-threads-'))
  const store = await threadedSqliteStore({ path: join(folder, 'prehend.db'), modules })
  await claimValue(store, 'handle-secret', handleSecret)
  const log: { event: string; fields: LogFields }[] = []
  const note = (event: string, fields: LogFields = {}): void => void log.push({ event, fields })
  const workers: Worker[] = []
  const underway = new Set<number>()
  const carriers: Worker[] = []
  const noted = (worker: Worker): void => {
    workers.push(worker)
    // The store's thread tells one thing at a time.
    worker.on('message', (all: ThreadNews | readonly ThreadNews[]) => {
      for (const news of [all].flat()) {
        if (news.kind === 'answer') underway.add(news.part.id)
        if (news.kind !== 'over') continue
        carriers.push(worker)
        underway.delete(news.id)
      }
    })
  }
  process.on('worker', noted)
  const upstreams = {
    openai: { baseUrl: `${providerUrl}/v1`, apiKey: 'key' },
    anthropic: { baseUrl: providerUrl, apiKey: 'key' },
  }
  const config = parseConfig({
    port: 0,
    threads: 1,
    policy: 'thrifty',
    upstreams,
    ...given,
    limits: { threadBytes: 0, ...given.limits },
  })
  const gateway: Gateway = await openGateway(config, {
    store,
    logger: { info: note, warn: note, error: note },
    ...host,
  })
  let closing: Promise<void> | undefined
  const close = (graceMs = 0): Promise<void> => (closing ??= gateway.close(graceMs))
  closers.push(async () => {
    process.off('worker', noted)
    await close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return {
    url: gateway.url,
    store,
    log,
    thread: () => workers.at(-1),
    carried: () => carriers.length,
    carriers: () => carriers,
    underway: () => underway.size,
    close,
  }
}

/** Has a thread started, which a large request waits for, and carry one request; none is under way afterwards. */
export async function startedThread(gateway: ThreadedGateway): Promise<void> {
  const before = gateway.carried()
  while (gateway.carried() === before) await sendLarge(gateway)
  while (gateway.underway() > 0) await setImmediate()
}

async function sendLarge(gateway: ThreadedGateway): Promise<void> {
  const padding = 'a '.repeat(600_000)
  const body = { model: 'gpt-5.1', messages: [], padding, prehend: { mode: 'off' } }
  const response = await post(gateway, openaiFixture, body)
  await response.arrayBuffer()
}
