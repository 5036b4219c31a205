import { compilers, handleKeys, openSessions, policyNamed, rehydrateTool } from '../sessions/index.ts'
import type { HiddenTool, SessionParts } from '../sessions/index.ts'
import type { Store } from '../stores/index.ts'
import { modelCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { requireTokenBeyondLoopback } from './http/authenticate.ts'
import { calibrationKeeper } from './upkeep/calibration-keeper.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayParts } from './parts.ts'
import { housekeeping } from './upkeep/housekeeping.ts'
import type { Source } from './layers/collect/source.ts'
import { gatewayLayers, requireNames } from './layers/gateway-layers.ts'
import type { PlacedLayer } from './layers/gateway-layers.ts'
import type { Layer } from './layers/layer.ts'
import { runLayers } from './layers/run-layers.ts'
import { upstreamOutlet } from './upstream/upstream-outlet.ts'
import { silentLogger } from './telemetry/logger.ts'
import type { Logger } from './telemetry/logger.ts'
import { gatewayMetrics } from './telemetry/metrics.ts'
import { openDrain } from './http/drain.ts'
import { requestIds } from './http/request-ids.ts'
import { listen, requestListener } from './http/server.ts'
import { providerUpstreams } from './upstream/upstreams.ts'
import type { Upstreams } from './upstream/upstreams.ts'

/** What a gateway runs on; only the store must be given. What is given stays open when the gateway closes. */
export interface OpenGatewayParts {
  readonly store: Store
  /** Those of the configuration, unless told. */
  readonly upstreams?: Upstreams
  readonly logger?: Logger
  /** That of the configuration, unless told. */
  readonly catalogue?: ModelCatalogue
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  readonly newId?: () => string
  /** Layers of the host's own: before `collect` and the session, or before the one that is named. */
  readonly layers?: readonly (Layer | PlacedLayer)[]
  /** What contributes items to requests before they are compiled. */
  readonly sources?: readonly Source[]
  /** Tools that are offered beside `rehydrate`, whose calls are answered here and never reach the client. */
  readonly hiddenTools?: readonly HiddenTool[]
}

export interface Gateway {
  /** Without a path: `http://127.0.0.1:8484`. */
  readonly url: string
  /** Requests under way that a provider answers. */
  readonly underway: number
  /**
   * Stops: takes nothing new, lets requests under way end for as long as `graceMs` (`limits.drainMs` unless told), and ends
   * those that have not by then in an error of their dialect.
   */
  close(graceMs?: number): Promise<void>
}

/** Starts a gateway. Rejects with `invalid-input` where the configuration would be unsafe. */
export async function openGateway(config: GatewayConfig, parts: OpenGatewayParts): Promise<Gateway> {
  requireTokenBeyondLoopback(config)
  policyNamed(config.policy, 'policy')
  requireNames(
    'hiddenTools',
    toolsOf(parts).map(({ definition }) => definition.name),
  )
  const running = await gatewayParts(config, parts)
  const way = runLayers({
    layers: gatewayLayers(running, { layers: parts.layers, sources: parts.sources }),
    last: upstreamOutlet(running),
    stopwatch: running.stopwatch,
    skipped: running.skipped,
    failed: (layer, error, requestId) =>
      running.logger.warn('layer-failed', { requestId, layer, reason: reasonOf(error) }),
  })
  const { drain } = running
  const listening = await listen(requestListener(running, way), { ...config, drain })
  const stopHousekeeping = housekeeping(running)
  const stopWatching = running.store.onTrouble?.((kind) => {
    running.metrics.storeTroubles.inc({ kind })
    running.logger.error('store-trouble', { kind })
  })
  return {
    url: listening.url,
    get underway() {
      return drain.underway
    },
    async close(graceMs = config.limits.drainMs) {
      await listening.close(graceMs)
      await stopHousekeeping()
      stopWatching?.()
      if (!parts.upstreams) await running.upstreams.close()
    },
  }
}

async function gatewayParts(config: GatewayConfig, parts: OpenGatewayParts): Promise<GatewayParts> {
  const {
    store,
    catalogue = modelCatalogue(config),
    upstreams = providerUpstreams(config, { catalogue }),
    logger = silentLogger,
    clock = Date.now,
    newId = requestIds(clock),
  } = parts
  const metrics = gatewayMetrics()
  const base: OtherParts = {
    config,
    store,
    upstreams,
    logger,
    metrics,
    clock,
    newId,
    drain: openDrain(),
    stopwatch: () => performance.now(),
    catalogue,
    calibration: await calibrationKeeper({ store, logger, catalogue }),
    skipped(stage, error, requestId) {
      metrics.skipped.inc({ stage })
      logger.warn('stage-skipped', { requestId, stage, reason: reasonOf(error) })
    },
  }
  const handleKey = await handleKeys(store)
  const sessionParts = { ...partsOfSessions(base), handleKey, tools: toolsOf(parts) }
  return { ...base, sessionParts, sessions: openSessions(sessionParts) }
}

function toolsOf({ hiddenTools = [] }: OpenGatewayParts): readonly HiddenTool[] {
  return [rehydrateTool, ...hiddenTools]
}

type OtherParts = Omit<GatewayParts, 'sessions' | 'sessionParts'>

function partsOfSessions(parts: OtherParts): Omit<SessionParts, 'handleKey' | 'tools'> {
  const { config, store, clock, stopwatch, catalogue, calibration, metrics, logger, skipped } = parts
  const { rehydrateRounds, rehydrateChars, ...limits } = config.limits
  return {
    store,
    clock,
    stopwatch,
    limits: { ...limits, hiddenRounds: rehydrateRounds, answerChars: rehydrateChars },
    recordsContent: config.record === 'content',
    compile: compilers(catalogue),
    modelInfo: catalogue.info,
    fittingTokens: calibration.fittingTokens,
    watch: {
      failed: skipped,
      slow(stage, tookMs, requestId) {
        metrics.slow.inc({ stage })
        logger.warn('stage-slow', { requestId, stage, tookMs: Math.round(tookMs) })
      },
      answered: (result) => metrics.rehydrations.inc({ result }),
    },
  }
}

/** Names and codes only: a message may quote what a client sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}
