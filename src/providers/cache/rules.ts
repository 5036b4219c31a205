/** A run of rendered bytes with its cost; a provider caches up to the end of a block, never inside one. */
export interface CacheBlock {
  /** Digest of the block's own bytes. */
  readonly hash: string
  readonly tokens: number
  /** A marker after this block, with the lifetime that it asks for. */
  readonly breakpointTtlMs?: number
  /** Whether a message ends with this block; taken as true when absent. */
  readonly messageEnd?: boolean
}

export interface CacheRequest {
  readonly blocks: readonly CacheBlock[]
  /** Whatever separates caches: organisation or workspace, model, routing key. Nothing is shared between keys. */
  readonly key: string
  /** Start of the request; lifetimes are counted from here. */
  readonly nowMs: number
  /** When the answer begins; what this request writes can be read from then on. Absent: at once. */
  readonly firstByteMs?: number
  /** Lifetime of what the provider caches unasked; the model's own when absent. */
  readonly ttlMs?: number
  /** OpenAI from GPT-5.6 on: whether the latest message is a breakpoint by itself; `implicit` when absent. */
  readonly mode?: 'implicit' | 'explicit'
  readonly outputTokens?: number
  /** The answer, as it will be rendered in the next request. */
  readonly reply?: readonly CacheBlock[]
}

/** What is known about one prefix. */
export interface CacheEntry {
  readonly tokens: number
  readonly ttlMs: number
  readonly createdMs: number
  readonly usedMs: number
  readonly visibleMs: number
  /** False for a prefix that was read once but not kept. */
  readonly kept: boolean
}

/** Everything cached, by the hash of the whole prefix. */
export type CacheState = ReadonlyMap<string, CacheEntry>

export interface CacheChange {
  readonly prefix: string
  readonly entry: CacheEntry
}

/** The bill of one request, in tokens; the four add up to the request. */
export interface CacheBill {
  readonly read: number
  readonly write: number
  /** Written for longer than the default lifetime; not part of `write`. */
  readonly writeLong: number
  readonly plain: number
}

/** What a request finds, and how it changes the cache. */
export interface CacheLookup {
  readonly bill: CacheBill
  /** Valid from the start of the request. */
  readonly refreshed: readonly CacheChange[]
  /** Valid once the answer begins; never, if it does not. */
  readonly written: readonly CacheChange[]
}

/** A provider's caching rules as a pure function. */
export type CacheBehaviour = (state: CacheState, request: CacheRequest) => CacheLookup

export function isReadable(entry: CacheEntry | undefined, nowMs: number): entry is CacheEntry {
  return entry !== undefined && entry.kept && entry.visibleMs <= nowMs && isAlive(entry, nowMs)
}

/** Providers promise an entry for its lifetime and drop it soon after. */
export function isAlive(entry: CacheEntry, nowMs: number): boolean {
  return nowMs <= entry.usedMs + entry.ttlMs
}
