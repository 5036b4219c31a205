import { setTimeout as delay } from 'node:timers/promises'
import { randomText } from '../host/index.ts'
import { configuredExtension } from '../sessions/index.ts'
import type { ConfiguredExtension } from '../sessions/index.ts'
import type { OpenedBlobs } from './configured-blobs.ts'
import type { OpenedHot } from './configured-hot.ts'
import type { GatewayConfig } from './config.ts'
import { openDrain } from './http/drain.ts'
import { requestIds } from './http/request-ids.ts'
import { knownKeys } from './keys/known-keys.ts'
import type { ServingParts } from './parts.ts'
import { openPost } from './news/post.ts'
import type { Post } from './news/post.ts'
import { sharedEvents } from './news/shared-events.ts'
import { readingDesk } from './readings/reading-desk.ts'
import { replayDesk } from './replays/replay-desk.ts'
import { replayThread } from './readings/replay-thread.ts'
import { placedModules } from './extensions/load-extensions.ts'
import { openTenancy } from './tenancy/tenancy.ts'
import { eventRing } from './telemetry/event-ring.ts'
import { silentLogger } from './telemetry/logger.ts'
import { gatewayMetrics } from './telemetry/metrics.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import { openOtlp } from './otlp/open-otlp.ts'
import type { Otlp } from './otlp/open-otlp.ts'
import { watchedHot } from './watched-hot.ts'
import type { HotWatching } from './watched-hot.ts'
import { nameOfError } from './telemetry/name-of-error.ts'

export type OpenedPlaces = OpenedHot & { readonly blobs: OpenedBlobs }

/** What stays when the configuration changes. */
export type SharedParts = Pick<
  ServingParts,
  | 'events'
  | 'metrics'
  | 'hot'
  | 'hotTrouble'
  | 'siblings'
  | 'openedBlobs'
  | 'keys'
  | 'tenancy'
  | 'newId'
  | 'drain'
  | 'tracing'
  | 'replays'
  | 'readings'
  | 'startedMs'
  | 'logger'
  | 'clock'
> & {
  readonly given: readonly ConfiguredExtension[]
  readonly otlp: Otlp | undefined
  /** To the other processes; undefined where there are none. */
  readonly post: Post | undefined
  readonly stopWatchingHot: () => void
}

export function sharedParts(
  config: GatewayConfig,
  given: OpenGatewayParts,
  { hot: opened, isShared, blobs }: OpenedPlaces,
): SharedParts {
  const { store, logger = silentLogger, clock = Date.now } = given
  const run = randomText(8)
  const metrics = gatewayMetrics()
  const watch = isShared ? watchedHot(opened, hotWatching({ metrics, logger, clock, wait: given.wait })) : undefined
  const hot = watch?.hot ?? opened
  const otlp = config.otlp && openOtlp({ settings: config.otlp, registry: metrics.registry, logger, instance: run })
  const extensions = placedModules(config.extensions, '.')
  const ring = eventRing({ clock, run })
  const post = isShared
    ? openPost({
        hot,
        process: run,
        wait: (ms) => delay(ms, undefined, { ref: false }),
        failed: () => logger.warn('news-unsent'),
      })
    : undefined
  return {
    logger,
    clock,
    hot,
    hotTrouble: () => watch?.trouble(),
    stopWatchingHot: () => watch?.close(),
    openedBlobs: blobs,
    keys: knownKeys({
      store,
      hot,
      clock,
      limitMs: config.limits.stageMs,
      failed: (doing, error) => logger.warn('keys-failed', { doing, reason: nameOfError(error) }),
    }),
    tenancy: openTenancy({ store, hot, logger, limitMs: config.limits.stageMs }),
    given: (given.extensions ?? []).map((one, index) => configuredExtension(one, `extensions[${index}]`)),
    post,
    events: post ? sharedEvents(ring, post) : ring,
    metrics,
    otlp,
    siblings: given.siblings,
    newId: given.newId ?? requestIds(clock),
    drain: openDrain(),
    tracing: given.tracing ?? otlp?.tracing,
    replays: replayDesk({ store, clock, openThread: (start, hear) => replayThread({ ...start, extensions }, hear) }),
    readings: readingDesk({ store }),
    startedMs: clock(),
  }
}

interface Watcher extends Pick<ServingParts, 'metrics' | 'logger' | 'clock'> {
  readonly wait: OpenGatewayParts['wait']
}

function hotWatching({ metrics, logger, clock, wait }: Watcher): HotWatching {
  return {
    clock,
    wait: wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false })),
    lost(reason) {
      metrics.hotTroubles.inc({ kind: 'lost' })
      logger.error('hot-unreachable', { reason })
    },
    back(lostMs) {
      metrics.hotTroubles.inc({ kind: 'back' })
      logger.info('hot-back', { lostMs })
    },
  }
}
