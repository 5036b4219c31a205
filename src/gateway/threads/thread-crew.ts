import { PassingMap } from '../../host/index.ts'
import { timely } from '../../sessions/index.ts'
import type { GatewayConfig } from '../config.ts'
import { carryingBytes, servingBytes } from '../live-shares.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import type { Observation } from '../upkeep/calibration-keeper.ts'
import { bodyPlaces, markedBody } from './body-places.ts'
import type { BodyPlaces, MarkedBody } from './body-places.ts'
import { CarryingThread } from './carrying-thread.ts'
import type { ReadyRequest, StorePorts, ThreadEnd } from './carrying-thread.ts'
import { mostThreads } from './most-threads.ts'
import { hear } from './tell.ts'
import { threadJobs } from './thread-jobs.ts'

/** The threads that carry requests, started when they are first needed. */
export interface ThreadCrew {
  /**
   * The one that carried the request before, or has the least to do. Undefined where there is none: none can be started, or
   * a smaller request need not wait for it. Rejects where it takes too long.
   */
  threadFor(request: ReadyRequest): Promise<CarryingThread | undefined>
  /** A request that a thread was asked for is not under way any more. */
  over(request: ReadyRequest): void
  /** Undefined where none is ready. */
  leastBusy(): CarryingThread | undefined
  close(): Promise<void>
}

export interface CrewOptions {
  readonly parts: ServingParts
  readonly store: StorePorts
}

/** What the store that is opened for a gateway may remember on the thread that serves, in bytes. */
export function rememberedBytes(config: GatewayConfig): number {
  return servingBytes(config.limits.liveBytes, mostThreads(config))
}

/** Smaller requests do not wait for the first thread to be started. */
const worthWaitingBytes = 1024 * 1024

/** For so long after one has died no other is started. */
const restMs = 5000

/** How often it is looked for threads that have nothing to do. */
const idleLookMs = 30_000

/** A thread stays for as long as it may have a prompt read again that is to be found in its provider's cache. */
function mostIdleMs(config: GatewayConfig): number {
  const own = Object.keys(config.tenants).map((tenant) => settingsFor(config, tenant))
  const refreshing = [config, ...own].map(({ promptCache: { keepalive, keepaliveMs, mostRefreshes } }) =>
    keepalive ? keepaliveMs * (mostRefreshes + 1) : 0,
  )
  return Math.max(config.limits.threadIdleMs, ...refreshing)
}

export function threadCrew({ parts, store }: CrewOptions): ThreadCrew {
  const { config, calibration, stopwatch, hot, openedBlobs: blobs } = parts
  const ofAll = { store, stopwatch, hot, blobs }
  const most = mostThreads(config)
  const threads = new Set<CarryingThread>()
  const places = bodyPlaces<CarryingThread>()
  const underway = bodiesUnderway(places)
  let restsUntilMs = -Infinity

  const start = (): void => {
    const jobs = threadJobs(parts.metrics.jobs)
    const thread: CarryingThread = new CarryingThread({
      config: shareOf(config, most),
      calibration: calibration.text(),
      ...ofAll,
      told: (told) => {
        jobs.heard(told)
        if (told.to === 'calibration') calibration.learn(told.seen, thread)
        else hear(parts, told)
      },
      ended: (why) => {
        threads.delete(thread)
        jobs.ended()
        if (why === 'died') restsUntilMs = stopwatch() + restMs
        tellEnd(parts, why)
      },
    })
    threads.add(thread)
  }

  const learn = (seen: Observation, from?: object): void => {
    for (const thread of threads) if (thread !== from && thread.isReady) thread.learn(seen)
  }

  /** One more is started where all have something to do. */
  const leastBusy = (): CarryingThread | undefined => {
    const ready = [...threads].filter(({ isReady }) => isReady)
    const [first] = ready.toSorted((one, other) => one.waiting - other.waiting)
    const isStarting = ready.length < threads.size
    if ((first?.waiting ?? 1) > 0 && !isStarting && threads.size < most && stopwatch() > restsUntilMs) start()
    return first
  }

  const idle = endIdle(threads, mostIdleMs(config))
  calibration.whenLearnt(learn)
  return {
    async threadFor(request) {
      const body = underway.bodyOf(request)
      const known = places.find(body)
      let thread = known?.isReady ? known : leastBusy()
      const [starting] = threads
      if (!thread && starting && request.bytes.length >= worthWaitingBytes) {
        const outcome = await timely(starting.ready, config.limits.packMs)
        if (outcome.kind === 'late') throw outcome.error
        thread = starting
      }
      if (thread?.isReady !== true) return undefined
      places.put(body, thread)
      return thread
    },
    over: underway.over,
    leastBusy,
    close: () => closeAll(threads, idle),
  }
}

/** Ends threads that have had nothing to do for so long, until the timer is cleared. */
function endIdle(threads: ReadonlySet<CarryingThread>, idleMs: number): NodeJS.Timeout {
  const look = (): void => {
    for (const thread of threads) if (thread.isReady && thread.idleMs() >= idleMs) void thread.close()
  }
  return setInterval(look, Math.min(idleMs, idleLookMs)).unref()
}

async function closeAll(threads: ReadonlySet<CarryingThread>, idle: NodeJS.Timeout): Promise<void> {
  clearInterval(idle)
  await Promise.all([...threads].map((thread) => thread.close()))
}

/** What is known of the bodies of requests from when a thread is first asked for until they are over. */
function bodiesUnderway(places: BodyPlaces<CarryingThread>) {
  const underway = new PassingMap<ReadyRequest, MarkedBody>()
  return {
    bodyOf(request: ReadyRequest): MarkedBody {
      const known = underway.get(request)
      if (known) return known
      const body = markedBody(request.tenant, request.bytes)
      underway.set(request, body)
      places.begin(body)
      return body
    },
    over(request: ReadyRequest): void {
      const body = underway.get(request)
      underway.delete(request)
      if (body) places.end(body)
    },
  }
}

function tellEnd({ metrics, logger }: ServingParts, why: ThreadEnd): void {
  if (why === 'closed') return
  metrics.threadsEnded.inc({ why })
  logger.error('thread-ended', { why })
}

/** What is kept in memory between requests is kept by all threads together. */
function shareOf(config: GatewayConfig, threads: number): GatewayConfig {
  const { limits } = config
  return { ...config, limits: { ...limits, liveBytes: carryingBytes(limits.liveBytes, threads) } }
}
