import type { CacheBehaviour } from './rules.ts'
import { isReadable } from './rules.ts'
import { keepAt, refreshed } from './entries.ts'
import { prefixesOf, totalTokens } from './prefixes.ts'
import type { Prefix } from './prefixes.ts'
import { billOf } from './bill.ts'

export interface OpenaiBreakpointOptions {
  readonly minTokens?: number
  /** Lifetime of the implicit breakpoint, where the request does not say. */
  readonly defaultTtlMs?: number
  readonly writeSlots?: number
  readonly readCandidates?: number
}

interface Mark {
  readonly prefix: Prefix
  readonly tokens: number
  readonly ttlMs: number
  readonly implicit: boolean
}

/**
 * GPT-5.6 and later: exact matches at breakpoints only. Ends of earlier messages were implicit breakpoints when
 * they were the latest, so they are looked up too, but never written again.
 */
export function openaiBreakpointCache(options: OpenaiBreakpointOptions = {}): CacheBehaviour {
  const { minTokens = 1024, defaultTtlMs = 1_800_000, writeSlots = 4, readCandidates = 80 } = options
  return (state, request) => {
    const { mode = 'implicit', ttlMs = defaultTtlMs } = request
    const prefixes = prefixesOf(request.key, request.blocks)
    const candidates = candidatesIn({ prefixes, mode, ttlMs }).filter((mark) => mark.tokens >= minTokens)
    const hit = candidates
      .slice(-readCandidates)
      .findLast(({ prefix }) => isReadable(state.get(prefix.hash), request.nowMs))
    const entry = hit && state.get(hit.prefix.hash)
    const marks = writable({ candidates, last: prefixes.at(-1), writeSlots })
    const kept = keepAt(state, request, marks)
    return {
      bill: billOf({ totalTokens: totalTokens(prefixes), hitTokens: hit?.tokens ?? 0, marks, defaultTtlMs }),
      refreshed: [...(hit && entry ? [refreshed(hit.prefix, entry, request.nowMs)] : []), ...kept.refreshed],
      written: kept.written,
    }
  }
}

interface CandidateInput {
  readonly prefixes: readonly Prefix[]
  readonly mode: 'implicit' | 'explicit'
  readonly ttlMs: number
}

function candidatesIn({ prefixes, mode, ttlMs }: CandidateInput): readonly Mark[] {
  return prefixes.flatMap((prefix): readonly Mark[] => {
    const explicit = prefix.block.breakpointTtlMs
    const base = { prefix, tokens: prefix.tokens }
    if (explicit !== undefined) return [{ ...base, ttlMs: explicit, implicit: false }]
    return mode === 'implicit' && prefix.block.messageEnd !== false ? [{ ...base, ttlMs, implicit: true }] : []
  })
}

interface WritableInput {
  readonly candidates: readonly Mark[]
  readonly last: Prefix | undefined
  readonly writeSlots: number
}

function writable({ candidates, last, writeSlots }: WritableInput): readonly Mark[] {
  const latest = candidates.filter((mark) => mark.implicit && mark.prefix === last)
  const explicit = candidates.filter((mark) => !mark.implicit)
  const slots = writeSlots - latest.length
  return [...(slots > 0 ? explicit.slice(-slots) : []), ...latest]
}
