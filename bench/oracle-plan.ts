/** What a conversation is made of, in the order in which it came. */
export interface OracleItem {
  /** The request with which it came in. */
  readonly arrives: number
  /** Tokens as it comes in. */
  readonly tokens: number
  /** The fewest tokens that it may take from a request on. */
  least(request: number): number
}

/** Everything from item `from` on is written anew with this request, each item in its least form. */
export interface OracleEpoch {
  readonly request: number
  readonly from: number
}

export interface OraclePlan {
  /** Of the whole session, in plain input tokens. */
  readonly cost: number
  readonly epochs: readonly OracleEpoch[]
}

export interface OracleOptions {
  readonly items: readonly OracleItem[]
  readonly requests: number
  /** Of a cached token; what is not cached costs 1. */
  readonly read: number
  /** Requests and items at which an epoch may begin, at most. */
  readonly choices?: number
}

/**
 * The cheapest way to send a session for one that knows how it goes on, among those of which no epoch begins before where an earlier
 * one began: an exact dynamic programme over where and when they begin. What is cached is the prefix that stays.
 */
export function oraclePlan(options: OracleOptions): OraclePlan {
  const { items, requests, read, choices = 60 } = options
  const sums = sumsOf(options)
  const times = spread(requests, choices)
  const starts = startsOf(options, choices)
  const best = new Map<number, Best>()
  const key = (time: number, start: number): number => time * (starts.length + 1) + start
  for (let time = times.length - 1; time >= 0; time--) {
    const request = times[time] ?? 0
    const own = sums.at(request)
    for (let start = starts.length - 1; start >= 0; start--) {
      const from = starts[start] ?? 0
      let found: Best = { cost: own.kept(from, items.length) + sums.toCome(own.end, items.length), next: undefined }
      for (let later = time + 1; later < times.length; later++) {
        const until = times[later] ?? 0
        for (let next = start; next < starts.length; next++) {
          const then = best.get(key(later, next))
          const at = starts[next] ?? 0
          if (then === undefined || at >= sums.endAt(until)) break
          const frozen = own.kept(from, at) + sums.toCome(own.end, at)
          const cost = frozen + own.carried(at, until) + sums.cameIn({ from: Math.max(at, own.end), until }) + then.cost
          if (cost < found.cost) found = { cost, next: { time: later, start: next } }
        }
      }
      const rewriting = time === 0 ? 0 : (1 - read) * own.written(from)
      best.set(key(time, start), { ...found, cost: found.cost + rewriting })
    }
  }
  const first = best.get(key(0, 0)) ?? { cost: 0, next: undefined }
  const epochs: OracleEpoch[] = []
  for (let at = first.next; at !== undefined; at = best.get(key(at.time, at.start))?.next)
    epochs.push({ request: times[at.time] ?? 0, from: starts[at.start] ?? 0 })
  const arrivals = (1 - read) * items.reduce((sum, { tokens }) => sum + tokens, 0)
  return { cost: first.cost + arrivals, epochs }
}

interface Best {
  readonly cost: number
  readonly next: { readonly time: number; readonly start: number } | undefined
}

/** Requests at which an epoch may begin, the first one standing for none. */
function spread(requests: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(requests / most))
  return Array.from({ length: Math.ceil(requests / step) }, (_, index) => index * step)
}

/** Where epochs may begin: at the items that lose most, and, for none, at the first. */
function startsOf({ items, requests }: OracleOptions, most: number): readonly number[] {
  const lost = items.map(({ tokens, least }, index) => ({ index, lost: tokens - least(requests - 1) }))
  const chosen = lost.filter(({ lost: tokens }) => tokens > 0).toSorted((a, b) => b.lost - a.lost)
  const indexes = chosen.slice(0, most - 1).map(({ index }) => index)
  return [...new Set([0, ...indexes])].toSorted((a, b) => a - b)
}

/** What spans of items cost, each from sums made once. */
function sumsOf({ items, requests, read }: OracleOptions) {
  const before = prefix(items.map(({ tokens }) => tokens))
  const beforeTimes = prefix(items.map(({ tokens, arrives }) => tokens * arrives))
  const span = (sums: readonly number[], from: number, to: number): number =>
    from >= to ? 0 : (sums[to] ?? 0) - (sums[from] ?? 0)
  const endAt = (request: number): number => {
    const found = items.findIndex(({ arrives }) => arrives > request)
    return found < 0 ? items.length : found
  }
  return {
    endAt: (request: number) => endAt(request - 1),
    /** Items that have not come yet, read from then on to the end. */
    toCome: (from: number, to: number) => read * (requests * span(before, from, to) - span(beforeTimes, from, to)),
    /** Those that come before a request, read until then. */
    cameIn({ from, until }: { readonly from: number; readonly until: number }): number {
      const to = endAt(until - 1)
      return read * (until * span(before, from, to) - span(beforeTimes, from, to))
    },
    at(request: number) {
      const end = endAt(request)
      const old = endAt(request - 1)
      const shown = prefix(items.slice(0, end).map(({ tokens, least }) => (request === 0 ? tokens : least(request))))
      return {
        end,
        kept: (from: number, to: number) => read * (requests - request) * span(shown, from, Math.min(to, end)),
        carried: (from: number, until: number) => read * (until - request) * span(shown, from, end),
        written: (from: number) => span(shown, from, old),
      }
    },
  }
}

function prefix(values: readonly number[]): readonly number[] {
  const sums = [0]
  let sum = 0
  for (const value of values) sums.push((sum += value))
  return sums
}
