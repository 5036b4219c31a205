import { hash } from 'node:crypto'
import type { Usage } from '../../core/index.ts'
import type { CacheRules } from '../../tokens/index.ts'
import type { CacheBill, CacheChange, CacheEntry, CacheRequest, CacheBehaviour, CacheState } from './rules.ts'
import { isAlive } from './rules.ts'
import { anthropicCache } from './anthropic.ts'
import type { AnthropicCacheOptions } from './anthropic.ts'
import { openaiPrefixCache } from './openai-prefix.ts'
import type { OpenaiPrefixOptions } from './openai-prefix.ts'
import { openaiBreakpointCache } from './openai-breakpoints.ts'
import type { OpenaiBreakpointOptions } from './openai-breakpoints.ts'
import { deepseekCache } from './deepseek.ts'
import type { DeepseekCacheOptions } from './deepseek.ts'

export interface CacheModelOptions {
  readonly 'anthropic': AnthropicCacheOptions
  /** Models before GPT-5.6. */
  readonly 'openai': OpenaiPrefixOptions
  /** GPT-5.6 and later. */
  readonly 'openai-breakpoints': OpenaiBreakpointOptions
  readonly 'deepseek': DeepseekCacheOptions
}

export type CacheModelKind = keyof CacheModelOptions

/** Real caches miss now and then. */
export interface MissOptions {
  /** Share of requests that find nothing, the same ones for the same seed. */
  readonly missRate?: number
  readonly seed?: number
  /** Requests of one key beyond this many in a minute reach another machine and find nothing. */
  readonly keyRequestsPerMinute?: number
}

/** What one request finds; its writes wait for the first byte of the answer. */
export interface OpenedRequest {
  readonly usage: Usage
  /** Makes the writes readable from `visibleMs` on. */
  commit(visibleMs: number): void
}

/** A provider's prompt cache that keeps its own state; the clock is the caller's. */
export interface CacheModel {
  request(request: CacheRequest): Usage
  /** As `request`, for callers that do not know yet when the answer begins. */
  open(request: CacheRequest): OpenedRequest
  readonly state: CacheState
}

const rulesOf: { readonly [Kind in CacheModelKind]: (options?: CacheModelOptions[Kind]) => CacheBehaviour } = {
  'anthropic': anthropicCache,
  'openai': openaiPrefixCache,
  'openai-breakpoints': openaiBreakpointCache,
  'deepseek': deepseekCache,
}

export function cacheModel<Kind extends CacheModelKind>(
  kind: Kind,
  options?: CacheModelOptions[Kind] & MissOptions,
): CacheModel {
  return cacheModelFrom(rulesOf[kind](options), options)
}

/** The cache that a model's rules describe; undefined for kinds that are not simulated, and for none. */
export function cacheModelFor(rules: CacheRules, misses?: MissOptions): CacheModel | undefined {
  const { kind, minTokens, stepTokens, lookback } = rules
  const [defaultTtlMs] = rules.ttlMs
  const shared = { ...misses, ...(defaultTtlMs === undefined ? {} : { defaultTtlMs }) }
  if (kind === 'anthropic-breakpoints')
    return cacheModel('anthropic', { minTokens, lookbackBlocks: lookback, ...shared })
  if (kind === 'openai-breakpoints')
    return cacheModel('openai-breakpoints', {
      minTokens,
      readCandidates: lookback,
      writeSlots: rules.maxBreakpoints,
      ...shared,
    })
  if (kind === 'openai-prefix') return cacheModel('openai', { minTokens, stepTokens, ...shared })
  // Google's too takes any shared prefix and asks nothing for writing it; it is gone within a day at the latest.
  if (kind === 'google-implicit')
    return cacheModel('openai', { minTokens, stepTokens, maxAgeMs: 86_400_000, ...shared })
  return kind === 'deepseek-units' ? cacheModel('deepseek', { stepTokens, ...shared }) : undefined
}

/** The same for rules of one's own. */
export function cacheModelFrom(rules: CacheBehaviour, options: MissOptions = {}): CacheModel {
  const { missRate = 0, seed = 0, keyRequestsPerMinute = Infinity } = options
  const crowded = crowding(keyRequestsPerMinute)
  const state = new Map<string, CacheEntry>()
  const nothing: CacheState = new Map()
  let requests = 0
  let sweepAt = 1024

  function open(request: CacheRequest): OpenedRequest {
    const missed = drawn(seed, requests++) < missRate || crowded(request.key, request.nowMs)
    const { bill, refreshed, written } = rules(missed ? nothing : state, request)
    apply(state, refreshed)
    if (state.size > sweepAt) sweepAt = 2 * sweep(state, request.nowMs) + 1024
    return {
      usage: usageOf(bill, request.outputTokens ?? 0),
      commit: (visibleMs) => apply(state, missed ? unknownOf(state, written) : written, visibleMs),
    }
  }

  return {
    state,
    open,
    request(request) {
      const opened = open(request)
      opened.commit(request.firstByteMs ?? request.nowMs)
      return opened.usage
    },
  }
}

function apply(state: Map<string, CacheEntry>, changes: readonly CacheChange[], visibleMs?: number): void {
  for (const { prefix, entry } of changes) {
    state.set(prefix, visibleMs === undefined ? entry : earliest(state.get(prefix), { ...entry, visibleMs }))
  }
}

/** Of two requests that wrote the same prefix side by side, the first to answer makes it readable. */
function earliest(known: CacheEntry | undefined, entry: CacheEntry): CacheEntry {
  if (known === undefined || !known.kept || !isAlive(known, entry.usedMs)) return entry
  return {
    ...entry,
    kept: true,
    visibleMs: Math.min(known.visibleMs, entry.visibleMs),
    usedMs: Math.max(known.usedMs, entry.usedMs),
  }
}

function unknownOf(state: CacheState, changes: readonly CacheChange[]): readonly CacheChange[] {
  return changes.filter(({ prefix }) => !state.has(prefix))
}

function sweep(state: Map<string, CacheEntry>, nowMs: number): number {
  for (const [prefix, entry] of state) if (!isAlive(entry, nowMs)) state.delete(prefix)
  return state.size
}

function usageOf(bill: CacheBill, outputTokens: number): Usage {
  return {
    inputTokens: bill.read + bill.write + bill.writeLong + bill.plain,
    outputTokens,
    cacheReadTokens: bill.read,
    cacheWriteTokens: bill.write + bill.writeLong,
    cacheWriteLongTokens: bill.writeLong,
  }
}

/** Tells for each request whether `limit` others of its key came through in the minute before it. */
function crowding(limit: number): (key: string, nowMs: number) => boolean {
  const recent = new Map<string, readonly number[]>()
  return (key, nowMs) => {
    if (limit === Infinity) return false
    const minute = (recent.get(key) ?? []).filter((atMs) => nowMs - atMs < 60_000)
    const overflows = minute.length >= limit
    recent.set(key, overflows ? minute : [...minute, nowMs])
    return overflows
  }
}

/** A number in [0, 1) for the n-th request. */
function drawn(seed: number, request: number): number {
  return Number.parseInt(hash('sha256', `${seed} ${request}`, 'hex').slice(0, 12), 16) / 2 ** 48
}
