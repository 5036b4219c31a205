import { within } from '../../host/index.ts'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type * as redis from 'redis'
import { PrehendError, invalidInput, shape } from '../../core/index.ts'
import type { Hot, Taken } from '../hot/hot.ts'
import { redisLedgers } from './redis-ledgers.ts'
import { leaseScript, releaseScript, takeScript } from './redis-scripts.ts'
import { missingPackage } from '../kernel/missing-package.ts'

/** Options of `redisHot`. */
export interface RedisHotOptions {
  /** `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. */
  readonly url: string
  /** What all keys and channels begin with; gateways that share state have the same. `prehend:` by default. */
  readonly prefix?: string
  /** How long a command may take, in milliseconds, before it fails; 1000 by default. */
  readonly timeoutMs?: number
}

/** `Hot` in Redis or Valkey, shared by every process that names the same server and prefix. */
export interface RedisHot extends Hot {
  /** Rejects with `store-failed` where the server does not answer. */
  ping(): Promise<void>
  /** Ends the connections. What is stored stays for its time. */
  close(): Promise<void>
}

const optionsShape = shape.object<RedisHotOptions>({
  url: shape.name,
  prefix: shape.optional(shape.text),
  timeoutMs: shape.optional(shape.amount),
})

/** Between two tries to connect again. */
const longestWaitMs = 2000

type RedisPackage = typeof redis
type RedisClient = ReturnType<RedisPackage['createClient']>

/**
 * Connects to Redis. The package `redis` must be installed. Rejects with `store-failed` where the server cannot be reached or refuses the
 * password. Later, commands fail at once while the server is gone, and connections come back by themselves.
 *
 * ```ts
 * const hot = await redisHot({ url: 'redis://127.0.0.1:6379' })
 * const { taken, left } = await hot.take('acme requests', 1, { most: 60, ttlMs: 60_000 })
 * await hot.close()
 * ```
 */
export async function redisHot(options: RedisHotOptions): Promise<RedisHot> {
  shape.check(optionsShape, options, 'options')
  const { url, prefix = 'prehend:', timeoutMs = 1000 } = options
  if (!/^rediss?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw invalidInput('options.url', 'is no address of a Redis server', 'Give one such as redis://127.0.0.1:6379.')
  const { createClient } = await redisPackage()
  const open = async (own: { readonly disableOfflineQueue: boolean }): Promise<RedisClient> => {
    let wasConnected = false
    const reconnectStrategy = (tries: number): number | false =>
      wasConnected && Math.min(50 * 2 ** tries, longestWaitMs)
    const socket = { connectTimeout: timeoutMs, reconnectStrategy }
    const client: RedisClient = createClient({ url, socket, ...own })
    // Errors between commands: the next command fails by itself. Without a listener they would end the process.
    client.on('error', () => undefined)
    await client.connect().catch((error: unknown) => {
      throw redisError(placeOf(url), error)
    })
    wasConnected = true
    return client
  }
  const client = await open({ disableOfflineQueue: true })
  // What is subscribed while the server is gone is subscribed when it is back.
  const listener = await open({ disableOfflineQueue: false })
  return hotOn({ client, listener, prefix, place: placeOf(url), timeoutMs })
}

interface Connections {
  readonly client: RedisClient
  /** For subscriptions alone: a connection that listens can do nothing else. */
  readonly listener: RedisClient
  readonly prefix: string
  readonly place: string
  readonly timeoutMs: number
}

function hotOn({ client, listener, prefix, place, timeoutMs }: Connections): RedisHot {
  const valueKey = (key: string): string => `${prefix}value:${key}`
  const sumKey = (key: string): string => `${prefix}sum:${key}`
  const leaseKey = (name: string): string => `${prefix}lease:${name}`
  const channelOf = (channel: string): string => `${prefix}channel:${channel}`
  const asked = async <Answer>(work: Promise<Answer>): Promise<Answer> =>
    // A server that is stopped or unreachable answers nothing.
    within(work, timeoutMs, () => new Error(`no answer within ${timeoutMs} ms`)).catch((error: unknown) => {
      throw redisError(place, error)
    })
  const script = async (text: string, keys: readonly string[], given: readonly (string | number)[]): Promise<unknown> =>
    asked(scriptAnswer(client, text, { keys: [...keys], arguments: given.map(String) }))

  return {
    ...redisLedgers(script, prefix),
    get: async (key) => (await asked(client.get(valueKey(key)))) ?? undefined,
    async put(key, value, ttlMs) {
      await asked(client.set(valueKey(key), value, { expiration: { type: 'PX', value: wholeMs(ttlMs) } }))
    },
    async take(key, amount, { most, ttlMs }) {
      return takenOf(await script(takeScript, [sumKey(key)], [amount, most, wholeMs(ttlMs)]))
    },
    lease: async (name, owner, ttlMs) => (await script(leaseScript, [leaseKey(name)], [owner, wholeMs(ttlMs)])) === 1,
    async release(name, owner) {
      await script(releaseScript, [leaseKey(name)], [owner])
    },
    async publish(channel, message) {
      await asked(client.publish(channelOf(channel), message))
    },
    subscribe(channel, hears) {
      let isOn = true
      // Each subscription counts for itself, also of the same function.
      const own = (message: string): void => (isOn ? hears(message) : undefined)
      const name = channelOf(channel)
      const begun = begin(
        () => listener.subscribe(name, own),
        () => isOn && listener.isOpen,
      )
      return () => {
        if (!isOn) return
        isOn = false
        void begun.then(() => listener.unsubscribe(name, own)).catch(() => undefined)
      }
    },
    async ping() {
      await asked(client.ping())
    },
    async close() {
      client.destroy()
      listener.destroy()
    },
  }
}

const digests = new Map<string, string>()

/** By its digest, where the server knows the script; a server that was started again is told it once. */
async function scriptAnswer(
  client: RedisClient,
  text: string,
  given: { readonly keys: string[]; readonly arguments: string[] },
): Promise<unknown> {
  const digest = digests.get(text) ?? createHash('sha1').update(text).digest('hex')
  digests.set(text, digest)
  try {
    return await client.evalSha(digest, given)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return client.eval(text, given)
  }
}

/** Tries until it succeeds or nobody wants it any more: a subscription that the server's death interrupts is made again. */
async function begin(attempt: () => Promise<void>, isWanted: () => boolean): Promise<void> {
  while (isWanted()) {
    try {
      return await attempt()
    } catch {
      await delay(betweenTriesMs, undefined, { ref: false })
    }
  }
}

const betweenTriesMs = 100

/** Redis knows whole milliseconds, one at least. */
function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms))
}

function takenOf(answer: unknown): Taken {
  const [taken, left, resetMs] = Array.isArray(answer) ? (answer as readonly unknown[]) : []
  return { taken: taken === 1, left: Number(left), resetMs: Number(resetMs) }
}

async function redisPackage(): Promise<RedisPackage> {
  try {
    return await import('redis')
  } catch (error) {
    throw missingPackage('redis', 'redis://', error)
  }
}

/** Where a server is, without a password. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

function redisError(place: string, error: unknown): PrehendError {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  const remedy = 'Check that the server runs, that address and password are right, and that it has memory left.'
  return new PrehendError(
    'store-failed',
    `Redis at ${place} failed: ${reason}. ${remedy}`,
    { remedy, server: 'Redis' },
    error,
  )
}
