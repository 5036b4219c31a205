import { PrehendError, isJsonObject, jsonValue } from '../../core/index.ts'
import { PassingMap } from '../../host/index.ts'
import { withinDeadline } from '../../sessions/index.ts'
import type { Hot, Store, UsedKey, VirtualKey } from '../../stores/index.ts'

/** Keys in memory, so that a request of a known key waits for nothing. */
export interface KnownKeys {
  /** The key that has this hash: at once where that is known, also that there is none. Rejects with `unavailable`. */
  find(hash: string): UsedKey | undefined | Promise<UsedKey | undefined>
  /** Notes that a key was used; the store hears of it at most once a minute. */
  used(key: VirtualKey): void
  /** Forgets a key that was changed, here at once and in every process that shares `hot`. */
  changed(key: VirtualKey): Promise<void>
  /** Forgets the keys of a tenant, in this process. */
  forgetTenant(tenant: string): void
  close(): void
}

export interface KnownKeysOptions {
  readonly store: Store
  readonly hot: Hot
  readonly clock: () => number
  /** How long the store may take. */
  readonly limitMs: number
  /** Hears what went wrong where no request is told of it. */
  readonly failed: (doing: 'read' | 'use' | 'publish', error: unknown) => void
}

/** How long a key, or that there is none, is known without asking the store. A change is heard of at once; a message may be lost. */
const freshMs = 5000
/** A key in use is read again before that time is over, so that its requests never wait. */
const refreshMs = 2500
/** How long a known key goes on while the store cannot be read. Nobody can revoke a key there meanwhile. */
const withoutStoreMs = 300_000
const mostKeys = 10_000
const mostMisses = 10_000
const betweenUsesMs = 60_000

const channel = 'key changes'

interface Entry {
  readonly key: UsedKey
  /** When the store has said so. */
  readonly readMs: number
  /** When the store is to be asked again. */
  askAgainMs: number
  usedMs: number
}

interface Load {
  /** The key was changed after the read began. */
  isOutdated: boolean
  found?: Promise<UsedKey | undefined>
}

/** Knows keys by their hashes. */
export function knownKeys(options: KnownKeysOptions): KnownKeys {
  const { store, hot, clock, failed } = options
  const memory = keyMemory(clock)
  const { entries, misses } = memory
  const { load, isLoading, forget } = keyReader(memory, options)
  const stopHearing = hot.subscribe(channel, (message) => {
    const said = jsonValue(message)
    if (isJsonObject(said) && typeof said['hash'] === 'string') forget(said['hash'])
  })

  return {
    find(hash) {
      const nowMs = clock()
      const entry = entries.get(hash)
      if (entry !== undefined && nowMs < entry.askAgainMs) {
        if (nowMs >= entry.askAgainMs - refreshMs && !isLoading(hash)) load(hash).catch(() => undefined)
        return entry.key
      }
      const missedMs = misses.get(hash)
      return missedMs !== undefined && nowMs < missedMs ? undefined : load(hash)
    },
    used({ tenant, id, hash }) {
      const nowMs = clock()
      const entry = entries.get(hash)
      if (entry === undefined || nowMs - entry.usedMs < betweenUsesMs) return
      entry.usedMs = nowMs
      const scope = { tenant, session: '' }
      const noted = store.commit({ scope, nowMs, urgency: 'idle', writes: [{ table: 'keys', used: id }] })
      noted.catch((error: unknown) => failed('use', error))
    },
    async changed({ tenant, id, hash }) {
      forget(hash)
      try {
        await hot.publish(channel, JSON.stringify({ tenant, id, hash }))
      } catch (error) {
        failed('publish', error)
      }
    },
    forgetTenant(tenant) {
      for (const { key } of entries.values()) if (key.tenant === tenant) forget(key.hash)
    },
    close: stopHearing,
  }
}

interface KeyMemory {
  readonly entries: PassingMap<string, Entry>
  /** Hashes of no key, and when that is to be asked again. Apart from keys, so that guesses push none of them out. */
  readonly misses: PassingMap<string, number>
  /** Notes what the store has said of a hash. */
  note(hash: string, key: UsedKey | undefined): UsedKey | undefined
}

function keyMemory(clock: () => number): KeyMemory {
  const entries = new PassingMap<string, Entry>()
  const misses = new PassingMap<string, number>()
  return {
    entries,
    misses,
    note(hash, key) {
      const before = entries.get(hash)
      entries.delete(hash)
      misses.delete(hash)
      const readMs = clock()
      const askAgainMs = readMs + freshMs
      if (key === undefined) put(misses, mostMisses, hash, askAgainMs)
      else {
        const usedMs = Math.max(key.lastUsedMs ?? 0, before?.usedMs ?? 0)
        put(entries, mostKeys, hash, { key, readMs, askAgainMs, usedMs })
      }
      return key
    },
  }
}

interface KeyReader {
  /** Asks the store; those who ask at once wait for one read. */
  load(hash: string): Promise<UsedKey | undefined>
  isLoading(hash: string): boolean
  /** What is known of a hash is no longer so, nor is what a read under way will say. */
  forget(hash: string): void
}

function keyReader(
  { entries, misses, note }: KeyMemory,
  { store, clock, limitMs, failed }: KnownKeysOptions,
): KeyReader {
  const loads = new Map<string, Load>()

  const read = async (hash: string, current: Load): Promise<UsedKey | undefined> => {
    try {
      const found = await withinDeadline(store.read('keys').byHash(hash), limitMs)
      return current.isOutdated ? load(hash) : note(hash, found)
    } catch (error) {
      const entry = entries.get(hash)
      if (entry === undefined || clock() - entry.readMs > withoutStoreMs) throw unavailable(error)
      failed('read', error)
      entry.askAgainMs = clock() + freshMs
      return entry.key
    }
  }

  const load = (hash: string): Promise<UsedKey | undefined> => {
    const before = loads.get(hash)?.found
    if (before) return before
    const current: Load = { isOutdated: false }
    loads.set(hash, current)
    current.found = read(hash, current).finally(() => {
      if (loads.get(hash) === current) loads.delete(hash)
    })
    return current.found
  }

  return {
    load,
    isLoading: (hash) => loads.has(hash),
    forget(hash) {
      const underWay = loads.get(hash)
      if (underWay) underWay.isOutdated = true
      loads.delete(hash)
      entries.delete(hash)
      misses.delete(hash)
    },
  }
}

function put<Value>(map: PassingMap<string, Value>, most: number, hash: string, value: Value): void {
  map.set(hash, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
}

function unavailable(cause: unknown): PrehendError<'unavailable'> {
  const remedy = 'Try again shortly; if it goes on, see GET /health/readiness.'
  return new PrehendError('unavailable', `Keys cannot be checked just now. ${remedy}`, { remedy }, cause)
}
