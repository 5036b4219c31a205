import type { CacheKind, CacheRules } from '../../tokens/index.ts'

/** What a provider's cache holds of one conversation: a value, which every request replaces. */
export interface ConversationCache {
  readonly entries: readonly CachedEnd[]
  /** Of caches that hold any prefix: when the oldest part of it was written. */
  readonly createdMs: number
  /** Of caches that remember what requests share: when the request before came. */
  readonly seenMs?: number
}

/** What is left of it when a request comes, and what has expired since the request before. */
interface CacheNow extends ConversationCache {
  readonly expired: readonly CachedEnd[]
}

/** A cached prefix, by the number of its blocks. */
interface CachedEnd {
  readonly blocks: number
  readonly ttlMs: number
  readonly usedMs: number
}

export interface CachedRequest {
  /** Tokens of the request up to and including each of its blocks. */
  readonly ends: readonly number[]
  /** Blocks at the front that the request before had, too. */
  readonly shared: number
  /** In the order of their blocks. */
  readonly marks: readonly BlockMark[]
  readonly nowMs: number
}

export interface BlockMark {
  /** Its index. */
  readonly block: number
  readonly ttlMs: number
}

/** What of a request is read from the cache, and up to where it is in the cache afterwards: in tokens from its front. */
export interface CacheFind {
  readonly read: number
  readonly written: number
  /** Up to where it is cached for longer than the shortest lifetime on offer; 0 where no mark asks for that. */
  readonly writtenLong: number
}

interface Step {
  readonly find: CacheFind
  readonly cache: ConversationCache
}

type Course = (cache: CacheNow, request: CachedRequest, rules: CacheRules) => Step

export const emptyCache: ConversationCache = Object.freeze({ entries: [], createdMs: 0 })

/** The longest prefixes are read, so these are kept. */
const mostEntries = 128

const courses: { readonly [Kind in CacheKind]: Course } = {
  'anthropic-breakpoints': anthropicCourse,
  'openai-breakpoints': openaiCourse,
  'openai-prefix': prefixCourse,
  'google-implicit': prefixCourse,
  'deepseek-units': deepseekCourse,
  'none': ({ entries, createdMs }) => ({
    find: { read: 0, written: 0, writtenLong: 0 },
    cache: { entries, createdMs },
  }),
}

/**
 * The next request of a conversation, by the rules that `cacheModelFor` simulates with the text: here a prefix is known by the number of its blocks, so
 * a step takes no hash, and what is kept does not grow with the conversation.
 */
export function nextInCache(cache: ConversationCache, request: CachedRequest, rules: CacheRules): Step {
  const isAlive = ({ usedMs, ttlMs }: CachedEnd): boolean => request.nowMs <= usedMs + ttlMs
  const entries = cache.entries.filter(isAlive)
  const expired = cache.entries.filter((entry) => !isAlive(entry))
  return courses[rules.kind]({ ...cache, entries, expired }, request, rules)
}

/** Prefixes that are read whole, as far as the request still begins with them. */
function standing({ entries }: ConversationCache, { shared }: CachedRequest): readonly CachedEnd[] {
  return entries.filter(({ blocks }) => blocks <= shared)
}

/** A read walks back a limited number of blocks from each mark, the last one first. */
function anthropicCourse(cache: ConversationCache, request: CachedRequest, rules: CacheRules): Step {
  const entries = standing(cache, request)
  const marks = request.marks.filter(({ block }) => tokensTo(request, block + 1) >= rules.minTokens)
  const hit = marks
    .toReversed()
    .map(({ block }) =>
      entries.findLast(({ blocks }) => blocks <= block + 1 && blocks > block + 1 - Math.max(1, rules.lookback)),
    )
    .find((entry) => entry !== undefined)
  return {
    find: findOf(request, { read: tokensTo(request, hit?.blocks ?? 0), marks, rules }),
    cache: { entries: withMarks(entries, { marks, hit, nowMs: request.nowMs }), createdMs: 0 },
  }
}

/** Every block may have been the end of a request; only the last one and what is marked is written. */
function openaiCourse(cache: ConversationCache, request: CachedRequest, rules: CacheRules): Step {
  const entries = standing(cache, request)
  const { ends, marks: explicit, nowMs } = request
  const isLong = (blocks: number): boolean => tokensTo(request, blocks) >= rules.minTokens
  const oldest = ends.length - rules.lookback
  const hit = entries.findLast(({ blocks }) => blocks > oldest && isLong(blocks))
  const last = ends.length - 1
  const isEndMarked = explicit.some(({ block }) => block === last)
  const latest = isEndMarked || last < 0 ? [] : [{ block: last, ttlMs: rules.ttlMs[0] ?? 0 }]
  const slots = rules.maxBreakpoints - latest.length
  const marks = [...(slots > 0 ? explicit.slice(-slots) : []), ...latest].filter(({ block }) => isLong(block + 1))
  return {
    find: findOf(request, { read: tokensTo(request, hit?.blocks ?? 0), marks, rules }),
    cache: { entries: withMarks(entries, { marks, hit, nowMs }), createdMs: 0 },
  }
}

/** How long prefixes that are cached unasked stay at most, however often they are used. */
const oldestMs: { readonly [Kind in CacheKind]?: number } = {
  'openai-prefix': 3_600_000,
  'google-implicit': 86_400_000,
}

/** Any shared prefix is read, in steps, and writing is free: one entry says how far the request before went. */
function prefixCourse({ entries, createdMs }: ConversationCache, request: CachedRequest, rules: CacheRules): Step {
  const { ends, nowMs } = request
  const ttlMs = rules.ttlMs[0] ?? 0
  const total = tokensTo(request, ends.length)
  const isOld = nowMs - createdMs > Math.max(oldestMs[rules.kind] ?? 0, ttlMs)
  const known = isOld ? 0 : Math.min(request.shared, entries.at(-1)?.blocks ?? 0)
  const shared = tokensTo(request, known)
  const read = shared < rules.minTokens ? 0 : shared - (shared % rules.stepTokens)
  const blocks = total < rules.minTokens ? known : ends.length
  return {
    find: { read, written: read, writtenLong: 0 },
    cache: {
      entries: blocks === 0 ? [] : [{ blocks, ttlMs, usedMs: nowMs }],
      createdMs: known === 0 ? nowMs : createdMs,
    },
  }
}

/** How many tokens lie between two prefixes that DeepSeek keeps within one long request. */
const intervalTokens = 8192

/** Whole prefixes are read: the end of a request, what two requests share, and one at every interval. */
function deepseekCourse(cache: CacheNow, request: CachedRequest, rules: CacheRules): Step {
  const entries = standing(cache, request)
  const { ends, nowMs } = request
  const ttlMs = rules.ttlMs[0] ?? 0
  const shared = remembered(cache, request, ttlMs)
  const total = tokensTo(request, ends.length)
  const hit = entries.at(-1)
  const floor = (tokens: number): number => tokens - (tokens % rules.stepTokens)
  const read = Math.min(floor(tokensTo(request, hit?.blocks ?? 0)), floor(Math.max(0, total - 1)))
  const units = ends.flatMap((tokens, index) => {
    const before = tokensTo(request, index)
    const passes = Math.floor(tokens / intervalTokens) > Math.floor(before / intervalTokens)
    const isUnit = passes || index === ends.length - 1 || index === shared - 1
    return isUnit ? [{ block: index, ttlMs }] : []
  })
  return {
    find: { read, written: read, writtenLong: 0 },
    cache: { entries: withMarks(entries, { marks: units, hit, nowMs, isReadOnly: true }), createdMs: 0, seenMs: nowMs },
  }
}

/** Blocks at the front of which the cache still knows that the request before had them. */
function remembered(
  { seenMs = -Infinity, expired }: CacheNow,
  { shared, nowMs }: CachedRequest,
  ttlMs: number,
): number {
  if (nowMs > seenMs + ttlMs) return 0
  return Math.min(shared, ...expired.map(({ blocks }) => blocks - 1))
}

interface Marked {
  readonly marks: readonly BlockMark[]
  readonly hit: CachedEnd | undefined
  readonly nowMs: number
  /** Whether what is in the cache already is used by being read only. */
  readonly isReadOnly?: boolean
}

/** What was read or marked was used now; what is not there is written. */
function withMarks(
  entries: readonly CachedEnd[],
  { marks, hit, nowMs, isReadOnly = false }: Marked,
): readonly CachedEnd[] {
  const isUsed = (entry: CachedEnd): boolean =>
    entry === hit || (!isReadOnly && marks.some(({ block }) => block + 1 === entry.blocks))
  const kept = entries.map((entry) => (isUsed(entry) ? { ...entry, usedMs: nowMs } : entry))
  const fresh = marks
    .filter(({ block }) => !entries.some(({ blocks }) => blocks === block + 1))
    .map(({ block, ttlMs }) => ({ blocks: block + 1, ttlMs, usedMs: nowMs }))
  return [...kept, ...fresh].toSorted((a, b) => a.blocks - b.blocks).slice(-mostEntries)
}

interface Found {
  readonly read: number
  readonly marks: readonly BlockMark[]
  readonly rules: CacheRules
}

function findOf(request: CachedRequest, { read, marks, rules }: Found): CacheFind {
  const [shortest = 0] = rules.ttlMs
  const endOf = (among: readonly BlockMark[]): number =>
    among.reduce((end, { block }) => Math.max(end, tokensTo(request, block + 1)), 0)
  return {
    read,
    written: Math.max(read, endOf(marks)),
    writtenLong: endOf(marks.filter(({ ttlMs }) => ttlMs > shortest)),
  }
}

function tokensTo({ ends }: CachedRequest, blocks: number): number {
  return ends[blocks - 1] ?? 0
}
