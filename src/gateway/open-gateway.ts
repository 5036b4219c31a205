import type { HiddenTool, ImageLibrary } from '../sessions/index.ts'
import type { Store, ThreadedStore } from '../stores/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import type { Tracing } from '../tracing/index.ts'
import type { GatewayConfig } from './config.ts'
import { gatewayParts, offered, wayThrough } from './gateway-parts.ts'
import { compileRoute } from './app/compile-route.ts'
import { readInspectorPage } from './app/inspector-files.ts'
import { requireTokenBeyondLoopback } from './http/authenticate.ts'
import { carrier } from './http/carry.ts'
import { openDrain } from './http/drain.ts'
import { requestIds } from './http/request-ids.ts'
import { listen, requestListener } from './http/server.ts'
import type { Source } from './layers/collect/source.ts'
import { requireNames } from './layers/gateway-layers.ts'
import type { HostLayer } from './layers/gateway-layers.ts'
import type { ServingParts } from './parts.ts'
import { expectWhenIdle } from './readings/expect-when-idle.ts'
import { readingDesk } from './readings/reading-desk.ts'
import { replayDesk } from './replays/replay-desk.ts'
import { eventRing } from './telemetry/event-ring.ts'
import { silentLogger } from './telemetry/logger.ts'
import type { Logger } from './telemetry/logger.ts'
import { gatewayMetrics } from './telemetry/metrics.ts'
import { servingBytes } from './live-shares.ts'
import { gatewayPolicies } from './policies.ts'
import { carryingThreads } from './threads/carrying-threads.ts'
import { mostThreads } from './threads/most-threads.ts'
import { housekeeping } from './upkeep/housekeeping.ts'
import { withRevisions } from './upkeep/policy-revisions.ts'
import type { Upstreams } from './upstream/upstreams.ts'

/** What a gateway runs on; only the store must be given. What is given stays open when the gateway closes. */
export interface OpenGatewayParts {
  /** One of `threadedSqliteStore` can be used from further threads, which then carry requests with large bodies. */
  readonly store: Store & Partial<Pick<ThreadedStore, 'connect'>>
  /** Those of the configuration by default. */
  readonly upstreams?: Upstreams
  readonly logger?: Logger
  /** That of the configuration by default. */
  readonly catalogue?: ModelCatalogue
  /** Where requests, layers, stages of compiles and calls of providers go as spans; nowhere by default. */
  readonly tracing?: Tracing
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Waits by that clock; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly newId?: () => string
  /** Layers of the host's own: before `collect` and the session, before the one that is named, or in place of a model. */
  readonly layers?: readonly HostLayer[]
  /** What contributes items to requests before they are compiled. */
  readonly sources?: readonly Source[]
  /** Tools that are offered beside `rehydrate`, whose calls are answered here and never reach the client. */
  readonly hiddenTools?: readonly HiddenTool[]
  /** Makes smaller images where `media` of a policy asks for them: what `sharp` exports. That of the configuration by default. */
  readonly images?: ImageLibrary
  /** Folder of the built inspector, which is then served below `/inspector/`. */
  readonly inspector?: string
  /** Whether somebody is likely to open it soon: a thread of its own gets ready for that. Only once it is opened by default. */
  readonly expectsReader?: boolean
}

export interface Gateway {
  /** Without a path: `http://127.0.0.1:8484`. */
  readonly url: string
  /** Requests under way that a provider answers. */
  readonly underway: number
  /**
   * Stops: takes nothing new, lets requests under way end for as long as `graceMs` (`limits.drainMs` by default), and ends
   * those that have not by then in an error of their dialect.
   */
  close(graceMs?: number): Promise<void>
}

/** Starts a gateway. Rejects with `invalid-input` where the configuration would be unsafe. */
export async function openGateway(config: GatewayConfig, given: OpenGatewayParts): Promise<Gateway> {
  requireTokenBeyondLoopback(config)
  requireNames(
    'hiddenTools',
    offered(given.hiddenTools).map(({ definition }) => definition.name),
  )
  const parts = await servingParts(config, given)
  const { drain } = parts
  const carryHere = carrier(parts, wayThrough(parts, given))
  const connect = threadable(config, given)
  const threads = connect && carryingThreads({ parts, connect, carryHere })
  const listener = requestListener(
    parts,
    threads ?? { carry: carryHere, compile: (asked) => compileRoute(parts, asked) },
    threadsOf(config, given),
  )
  const listening = await listen(listener, { ...config, drain })
  const stopHousekeeping = housekeeping(parts)
  const stopExpecting = parts.inspector && given.expectsReader ? expectWhenIdle(parts) : undefined
  const stopWatching = parts.store.onTrouble?.((kind) => {
    parts.metrics.storeTroubles.inc({ kind })
    parts.logger.error('store-trouble', { kind })
  })
  return {
    url: listening.url,
    get underway() {
      return drain.underway
    },
    async close(graceMs = config.limits.drainMs) {
      parts.events.close()
      stopExpecting?.()
      parts.readings.close()
      await parts.replays.close()
      await listening.close(graceMs)
      parts.warmKeeper.close()
      parts.summaryWriter.close()
      await Promise.all([threads?.close(), parts.lastWork.done()])
      await stopHousekeeping()
      stopWatching?.()
      if (!given.upstreams) await parts.upstreams.close()
    },
  }
}

/** How threads get at the store; undefined where requests need what only the host's own thread has. */
function threadable(config: GatewayConfig, given: OpenGatewayParts): ThreadedStore['connect'] | undefined {
  const { store, layers = [], sources = [], hiddenTools = [], upstreams, catalogue, clock, images } = given
  const isHosts = layers.length + sources.length + hiddenTools.length > 0 || (upstreams ?? catalogue ?? clock ?? images)
  const isSimulated = Object.keys(config.upstreams).length === 0
  return isHosts || isSimulated || mostThreads(config) === 0 ? undefined : store.connect
}

/** How many threads may carry requests beside the one that serves. */
function threadsOf(config: GatewayConfig, given: OpenGatewayParts): number {
  return threadable(config, given) ? mostThreads(config) : 0
}

async function servingParts(written: GatewayConfig, given: OpenGatewayParts): Promise<ServingParts> {
  const { store, logger = silentLogger, clock = Date.now, newId = requestIds(clock) } = given
  const events = eventRing({ clock })
  const config = await withRevisions(written, gatewayPolicies(written), { store, logger, events })
  const liveBytes = servingBytes(config.limits.liveBytes, threadsOf(config, given))
  const ofThread = { ...config, limits: { ...config.limits, liveBytes } }
  const carrying = await gatewayParts(ofThread, { ...given, logger, clock, events, metrics: gatewayMetrics() })
  const inspector = given.inspector === undefined ? undefined : await readInspectorPage(given.inspector)
  return {
    ...carrying,
    config,
    events,
    newId,
    drain: openDrain(),
    tracing: given.tracing,
    inspector,
    replays: replayDesk({ store, clock }),
    readings: readingDesk({ store }),
    startedMs: clock(),
  }
}
