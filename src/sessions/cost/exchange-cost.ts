import type { Usage } from '../../core/index.ts'
import type { EstimateIfOn, ExchangeCost, KeptWarm } from '../../stores/index.ts'
import { wholeUsd } from '../../stores/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { CacheRules, ModelInfo } from '../../tokens/index.ts'
import type { PlannedTokens } from './planned-tokens.ts'
import { clientUsage, usageIfOn } from './viewed-usage.ts'
import type { FromReport } from './viewed-usage.ts'

export interface AnsweredRequest {
  /** Absent where the client's own request was sent. */
  readonly planned?: PlannedTokens | undefined
  /** In mode `observe`: how the request would have been sent in mode `on`; `planned` is absent where that is no other way. */
  readonly observed?: { readonly planned?: PlannedTokens | undefined } | undefined
  /** What the provider has reported for each round; undefined where it has not. */
  readonly rounds: readonly (Usage | undefined)[]
  readonly info: ModelInfo
  /** Of the model that has answered each round, where that is not always the same. */
  readonly infos?: readonly ModelInfo[]
  /** What was spent to have its cache last until it came: without that, nothing would have been read. */
  readonly keptWarm?: KeptWarm | undefined
}

/** What an exchange came to, and what other ways of sending it would have; undefined where a round has reported nothing. */
export function exchangeCost(answered: AnsweredRequest): ExchangeCost | undefined {
  const { planned, rounds, info: asked, infos = [], keptWarm } = answered
  const info = infos[0] ?? asked
  const reported = rounds.filter((usage) => usage !== undefined)
  const [first] = reported
  const last = reported.at(-1)
  if (!first || !last || reported.length < rounds.length) return undefined
  const everything = {
    ...(planned ? passThroughUsage(first, { planned, keptWarm }, info) : first),
    outputTokens: last.outputTokens,
  }
  const tokens = {
    inputTokens: sum(reported.map(({ inputTokens }) => inputTokens)),
    passThroughTokens: everything.inputTokens,
  }
  const passThroughUsd = priceOf(everything, info)
  if (passThroughUsd === undefined) return tokens
  const usd = sum([keptWarm?.usd ?? 0, ...reported.map((usage, round) => priceOf(usage, infos[round] ?? info) ?? 0)])
  const client = planned
    ? clientUsage(everything, fromReport(first, { planned, ours: planned.sent.tokens, info }))
    : everything
  return {
    ...tokens,
    usd: wholeUsd(usd),
    passThroughUsd: wholeUsd(passThroughUsd),
    clientUsd: wholeUsd(priceOf(client, info) ?? passThroughUsd),
    ...(answered.observed && { ifOn: costIfOn(first, answered.observed.planned, info) }),
  }
}

/** In dollars, from what the client's own request was reported to have taken. */
function costIfOn(reported: Usage, planned: PlannedTokens | undefined, info: ModelInfo): EstimateIfOn {
  const usage =
    planned && usageIfOn(reported, fromReport(reported, { planned, ours: planned.passThrough.tokens, info }))
  const usdOf = (one: Usage | undefined): number => wholeUsd(priceOf(one ?? reported, info) ?? 0)
  return { usd: usdOf(usage?.packed), passThroughUsd: usdOf(usage?.everything) }
}

interface Reported {
  readonly planned: PlannedTokens
  /** What was sent, in our tokens. */
  readonly ours: number
  readonly info: ModelInfo
}

function fromReport({ inputTokens }: Usage, { planned, ours, info }: Reported): FromReport {
  return { planned, scale: scaleOf(inputTokens, ours), kind: info.cache.kind }
}

interface Planned extends Pick<AnsweredRequest, 'keptWarm'> {
  readonly planned: PlannedTokens
}

/** What the provider would have reported for the client's request with everything in it, from what it did report. */
function passThroughUsage(reported: Usage, { planned, keptWarm }: Planned, { cache }: ModelInfo): Usage {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens } = reported
  const { sent, passThrough } = planned
  const scale = scaleOf(inputTokens, sent.tokens)
  const total = Math.max(0, Math.round(inputTokens + scale * (passThrough.tokens - sent.tokens)))
  const lookup = { reported, planned, scale, cache }
  const found = keptWarm ? 0 : (simulatedFind(lookup) ?? foundTokens(lookup))
  const read = Math.round(Math.min(total, Math.max(0, found)))
  const uncached = inputTokens - (cacheReadTokens ?? 0)
  const share = (tokens: number): number => (uncached > 0 ? Math.round((tokens / uncached) * (total - read)) : 0)
  return {
    inputTokens: total,
    outputTokens: reported.outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens: read }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: share(cacheWriteTokens) }),
    ...(cacheWriteLongTokens !== undefined && { cacheWriteLongTokens: share(cacheWriteLongTokens) }),
  }
}

interface Lookup {
  readonly reported: Usage
  readonly planned: PlannedTokens
  readonly scale: number
  readonly cache: CacheRules
}

/** Providers find whole blocks only, of at most so many tokens: what is short of that is no miss. */
const largestBlock = 256

/** What the simulated cache has of everything; undefined where the provider did not find what the same cache has of what was sent. */
function simulatedFind({ reported: { cacheReadTokens = 0 }, planned: { viewed }, scale, cache }: Lookup) {
  if (viewed?.kind !== cache.kind) return undefined
  const isAsSimulated = Math.abs(cacheReadTokens - scale * viewed.packed.read) <= largestBlock
  return isAsSimulated ? cacheReadTokens + scale * (viewed.everything.read - viewed.packed.read) : undefined
}

/**
 * What of it the provider would have found in its cache. Where we have changed nothing of what stood there, up to the place
 * to which it did find what was sent: what it misses then it would have missed anyway. Where we have, all of it: that miss is ours.
 */
function foundTokens({ reported, planned, scale, cache }: Lookup): number {
  const { sent, passThrough, isRewritten, isWarm } = planned
  const { cacheReadTokens: read = 0 } = reported
  if (isRewritten) return isWarm && usesCache(reported, cache) ? Math.max(read, scale * passThrough.again) : read
  const found = Math.min(read, scale * sent.again)
  const isInFront = found + largestBlock < scale * sent.unlike
  const place = isInFront
    ? (found / sent.unlike) * passThrough.unlike
    : found + scale * (passThrough.again - sent.again)
  return read - found + place
}

/** Who says nothing of a cache has none; where it is written at marks only, no more is found than was marked. */
function usesCache({ cacheReadTokens, cacheWriteTokens }: Usage, { maxBreakpoints }: CacheRules): boolean {
  if (maxBreakpoints === 0 || cacheWriteTokens === undefined) return cacheReadTokens !== undefined
  return cacheWriteTokens > 0
}

/** Tokenizers differ by less. What differs by more has something in it that we do not see, and our counts stand. */
const mostScale = 1.5

function scaleOf(reported: number, planned: number): number {
  const scale = reported / planned
  return scale <= mostScale && scale >= 1 / mostScale ? scale : 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
