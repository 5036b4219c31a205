import type { Usage } from '../../core/index.ts'
import { PassingMap } from '../../host/index.ts'
import { refreshesThatPay } from '../../providers/index.ts'
import type { KeptWarm, Tally } from '../../stores/index.ts'
import { scopeKey } from '../../stores/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { cachePricesOf, priceOf } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { JobKind } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'

/** A prompt that a provider has just cached, and how it is kept there. */
export interface CachedPrompt {
  readonly requestId: string
  /** The branch of its session. */
  readonly lane: string | undefined
  /** When its request went upstream, by the gateway's clock: from then on its time runs. */
  readonly sentMs: number
  readonly info: ModelInfo
  /** What its refreshes are counted under. */
  readonly counted: Pick<Tally, 'model' | 'policy'>
  readonly tokens: number
  /** What it takes up while it is kept for that. */
  readonly bytes: number
  /** Tokens of it, as we count them, and what the next request would shorten it to if it came too late for the cache. */
  figures(): { readonly tokens: number; readonly coldTokens: number }
  /** What has it read once more; undefined where the provider takes that from no such request. */
  body(): string | undefined
  /** What that took; undefined where it was refused. */
  refresh(body: string, signal: AbortSignal): Promise<Usage | undefined>
}

/** What was done for a session while it was silent. */
export interface Warmth extends KeptWarm {
  readonly lane: string | undefined
  /** When the provider has read it last. */
  readonly readMs: number
}

/**
 * Keeps the prompts of sessions in their provider's cache while they are silent, as long as it has paid for each of them to wait.
 * What a session's silences were like is read from its receipts, and only when a refresh is due.
 */
export interface WarmKeeper {
  /** A request of the session has come: nothing of it is refreshed any more. */
  came(scope: Scope): Warmth | undefined
  /** It was answered. */
  answered(scope: Scope, prompt: CachedPrompt): void
}

export interface WarmKeeperParts {
  readonly store: Store
  /** As a tenant has them. */
  readonly settings: (tenant: string) => Pick<GatewayConfig['promptCache'], 'keepaliveMs' | 'mostRefreshes'>
  readonly clock: () => number
  readonly jobs: Jobs
  readonly metrics: Pick<Metrics, 'refreshes' | 'dollars'>
  readonly logger: Logger
}

/** The oldest prompts are let go of. A refresh that takes longer than a cache lives keeps nothing. */
const keeping: JobKind = {
  name: 'keep-warm',
  priority: 1,
  mostBytes: 64 * 1024 * 1024,
  drops: 'oldest',
  deadlineMs: 300_000,
  atDrain: 'abort',
}
/** Sessions of which it is known what was done for them. */
const mostKnown = 10_000
/** Of what was sent, at least so much must be read again, or it is not there. */
const leastRead = 0.9
/** Receipts that tell how long a session is silent. */
const lookedBack = 50

export function warmKeeper(parts: WarmKeeperParts): WarmKeeper {
  const { settings, clock, jobs, metrics, logger } = parts
  const known = new PassingMap<string, Known>()

  const take = (key: string): Known | undefined => {
    const found = known.get(key)
    known.delete(key)
    jobs.cancel(keeping, key)
    return found
  }

  return {
    came(scope) {
      const found = take(scopeKey(scope))
      if (!found || found.refreshes === 0) return undefined
      const { usd, ...warmth } = found
      return { ...warmth, ...(usd !== undefined && { usd }) }
    },
    answered(scope, prompt) {
      const key = scopeKey(scope)
      take(key)
      const own: Known = { lane: prompt.lane, readMs: prompt.sentMs, refreshes: 0, usd: 0 }
      known.set(key, own)
      for (const oldest of known.keys()) {
        if (known.size <= mostKnown) break
        take(oldest)
      }
      const everyMs = settings(scope.tenant).keepaliveMs
      jobs.add({
        kind: keeping,
        name: key,
        bytes: prompt.bytes,
        delayMs: prompt.sentMs + everyMs - clock(),
        everyMs,
        run: (signal) => keepWarm(parts, { scope, prompt, own }, signal),
        failed(error) {
          metrics.refreshes.inc({ result: 'failed' })
          const reason = nameOfError(error)
          logger.warn('kept-warm', { requestId: prompt.requestId, result: 'failed', reason })
          return 'last'
        },
        ended() {
          // What was done for it is told when the session comes back.
          if (known.get(key) === own && own.refreshes === 0) known.delete(key)
        },
      })
    },
  }
}

interface Known {
  readonly lane: string | undefined
  readMs: number
  refreshes: number
  usd: number | undefined
}

interface Kept {
  readonly scope: Scope
  readonly prompt: CachedPrompt
  readonly own: Known
}

/** One refresh, the last one where another does not pay or the cache is lost. */
async function keepWarm(
  parts: WarmKeeperParts,
  { scope, prompt, own }: Kept,
  signal: AbortSignal,
): Promise<'last' | undefined> {
  const { clock, metrics, logger } = parts
  const { requestId } = prompt
  if (own.refreshes >= (await refreshesFor(parts, scope, prompt))) return 'last'
  const body = prompt.body()
  if (body === undefined || signal.aborted) return 'last'
  const startedMs = clock()
  const usage = await prompt.refresh(body, signal)
  const result = resultOf(usage, prompt)
  metrics.refreshes.inc({ result })
  const usd = usage && priceOf(usage, prompt.info)
  if (usd !== undefined) metrics.dollars.inc({ kind: 'spent', family: prompt.info.provider }, usd)
  logger.info('kept-warm', { requestId, result, refresh: own.refreshes + 1, usd })
  own.refreshes += usage ? 1 : 0
  if (usage) await count(parts, scope, { ...prompt.counted, usd })
  own.usd = own.usd === undefined || usd === undefined ? undefined : own.usd + usd
  if (result !== 'kept') return 'last'
  own.readMs = startedMs
  return undefined
}

/** Its session may never come back to tell of it. */
async function count(
  { store, clock, logger }: WarmKeeperParts,
  scope: Scope,
  { usd = 0, ...counted }: Pick<Tally, 'model' | 'policy'> & { readonly usd: number | undefined },
): Promise<void> {
  const figures = { refreshes: 1, refreshUsd: usd, usd }
  try {
    await store.commit({
      scope,
      nowMs: clock(),
      urgency: 'idle',
      writes: [{ table: 'results', tally: { ...counted, figures } }],
    })
  } catch {
    logger.warn('kept-warm', { result: 'uncounted' })
  }
}

function resultOf(usage: Usage | undefined, { tokens }: CachedPrompt): 'kept' | 'lost' | 'failed' {
  if (!usage) return 'failed'
  return (usage.cacheReadTokens ?? 0) >= leastRead * tokens ? 'kept' : 'lost'
}

/** None where another request of the session has come meanwhile, on whatever thread or machine. */
async function refreshesFor(
  { store, settings }: WarmKeeperParts,
  { tenant, session }: Scope,
  prompt: CachedPrompt,
): Promise<number> {
  const { requestId, info } = prompt
  const { keepaliveMs, mostRefreshes } = settings(tenant)
  const receipts = await store.read('receipts').list(tenant, { session, limit: lookedBack })
  const prices = cachePricesOf(info)
  if (receipts[0]?.requestId !== requestId || !prices) return 0
  const startsMs = receipts.toReversed().map(({ createdMs }) => createdMs)
  return refreshesThatPay({ startsMs, prompt: prompt.figures }, { everyMs: keepaliveMs, most: mostRefreshes }, prices)
}
