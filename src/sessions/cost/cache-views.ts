import type { CacheMarker } from '../../core/index.ts'
import { emptyCache, nextInCache } from '../../providers/breakpoints/index.ts'
import type { BlockMark, CacheFind, ConversationCache } from '../../providers/breakpoints/index.ts'
import type { CacheKind, ModelInfo } from '../../tokens/index.ts'

/**
 * What the provider's cache would hold of a conversation in each of the three ways of sending it: as the client does, with its own marks or none;
 * all of that with our marks; and packed. What is sent is one of these, the others are simulated.
 */
export interface CacheViews {
  readonly client: ConversationCache
  readonly everything: ConversationCache
  readonly packed: ConversationCache
}

/** What each way of sending a request would read and write, in our own tokens. */
export interface ViewedRequest {
  /** Of the model whose rules these are by. */
  readonly kind: CacheKind
  readonly client: CacheFind
  readonly everything: CacheFind
  readonly packed: CacheFind
}

export interface RequestToView {
  readonly info: Pick<ModelInfo, 'cache'>
  readonly itemIds: readonly string[]
  /** Tokens up to and including each item: of all that the client says, and of what is packed. */
  readonly fullEnds: readonly number[]
  readonly packedEnds: readonly number[]
  /** Items at the front that the request before had, and those that it showed alike. */
  readonly known: number
  readonly same: number
  /** Items of the request before. */
  readonly before: number
  readonly lastRequestMs: number | undefined
  readonly nowMs: number
  /** The client's, and ours. */
  readonly markers: readonly CacheMarker[]
  readonly marked: readonly CacheMarker[]
}

interface Viewed {
  readonly request: ViewedRequest
  readonly views: CacheViews
}

/** Where nothing is remembered of a conversation that goes on, its cache is taken to be as its last request would have left it. */
export function nextViews(views: CacheViews | undefined, asked: RequestToView): Viewed {
  const { info, fullEnds, packedEnds, known, same, nowMs, markers, marked } = asked
  const own = placesOf(asked, markers)
  const all = placesOf(asked, [...markers, ...marked])
  const { client, everything, packed } = views ?? lastLeft(asked, own)
  const common = { nowMs, ends: fullEnds, shared: known }
  const steps = {
    client: nextInCache(client, { ...common, marks: own }, info.cache),
    everything: nextInCache(everything, { ...common, marks: all }, info.cache),
    packed: nextInCache(packed, { nowMs, ends: packedEnds, shared: same, marks: all }, info.cache),
  }
  return {
    request: {
      kind: info.cache.kind,
      client: steps.client.find,
      everything: steps.everything.find,
      packed: steps.packed.find,
    },
    views: { client: steps.client.cache, everything: steps.everything.cache, packed: steps.packed.cache },
  }
}

/** In the order of their blocks. */
function placesOf({ itemIds }: RequestToView, marks: readonly CacheMarker[]): readonly BlockMark[] {
  if (marks.length === 0) return []
  const lifetimes = new Map(marks.map(({ itemId, ttlMs }) => [itemId, ttlMs]))
  return itemIds.flatMap((id, block) => {
    const ttlMs = lifetimes.get(id)
    return ttlMs === undefined ? [] : [{ block, ttlMs }]
  })
}

/** After a restart nobody knows where the last request was marked: a client that marks something behind it has marked its end. */
function lastLeft({ info, before, known, lastRequestMs }: RequestToView, own: readonly BlockMark[]): CacheViews {
  if (before === 0 || lastRequestMs === undefined)
    return { client: emptyCache, everything: emptyCache, packed: emptyCache }
  const [shortest = 0] = info.cache.ttlMs
  const entry = (blocks: number, ttlMs = shortest) => ({ blocks, ttlMs, usedMs: lastRequestMs })
  const end = { entries: [entry(before)], createdMs: lastRequestMs }
  if (info.cache.kind !== 'anthropic-breakpoints') return { client: end, everything: end, packed: end }
  const old = own.filter(({ block }) => block < known).map(({ block, ttlMs }) => entry(block + 1, ttlMs))
  const isEndMarked = own.some(({ block }) => block >= known)
  const entries = [...old, ...(isEndMarked ? [entry(before)] : [])].toSorted((a, b) => a.blocks - b.blocks)
  return { client: { entries, createdMs: lastRequestMs }, everything: end, packed: end }
}
