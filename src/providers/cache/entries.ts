import type { CacheChange, CacheEntry, CacheRequest, CacheState } from './rules.ts'
import { isReadable } from './rules.ts'
import type { Prefix } from './prefixes.ts'

/** The same entry, used again now. */
export function refreshed(prefix: Prefix, entry: CacheEntry, nowMs: number): CacheChange {
  return { prefix: prefix.hash, entry: { ...entry, usedMs: nowMs } }
}

/** A new entry; `visibleMs` is settled when it is applied. */
export function written(prefix: Prefix, ttlMs: number, nowMs: number): CacheChange {
  const entry = { tokens: prefix.tokens, ttlMs, createdMs: nowMs, usedMs: nowMs, visibleMs: nowMs, kept: true }
  return { prefix: prefix.hash, entry }
}

interface Kept {
  readonly refreshed: readonly CacheChange[]
  readonly written: readonly CacheChange[]
}

/** Keeps an entry at each of these prefixes: what can be read is refreshed, what cannot is written. */
export function keepAt(
  state: CacheState,
  request: CacheRequest,
  marks: readonly { readonly prefix: Prefix; readonly ttlMs: number }[],
): Kept {
  const known = marks.map((mark) => ({ ...mark, entry: state.get(mark.prefix.hash) }))
  return {
    refreshed: known.flatMap(({ prefix, entry }) =>
      isReadable(entry, request.nowMs) ? [refreshed(prefix, entry, request.nowMs)] : [],
    ),
    written: known.flatMap(({ prefix, ttlMs, entry }) =>
      isReadable(entry, request.nowMs) ? [] : [written(prefix, ttlMs, request.nowMs)],
    ),
  }
}
