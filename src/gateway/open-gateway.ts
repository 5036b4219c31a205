import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { invalidInput } from '../core/index.ts'
import { openBlobs } from './configured-blobs.ts'
import { openHot } from './configured-hot.ts'
import type { GatewayConfig } from './config.ts'
import { gatewayParts, wayThrough } from './gateway-parts.ts'
import { compileRoute } from './app/compile-route.ts'
import { addExtensionJobs } from './extensions/extension-jobs.ts'
import { placedModules } from './extensions/load-extensions.ts'
import { readInspectorPage } from './app/inspector-files.ts'
import { requireTokenBeyondLoopback } from './http/authenticate.ts'
import { carrier } from './http/carry.ts'
import { listen, requestListener } from './app/server.ts'
import type { ServingParts } from './parts.ts'
import { hearGone } from './keys/gone-tenants.ts'
import { expectWhenIdle } from './readings/expect-when-idle.ts'
import { shareCalibration } from './news/shared-calibration.ts'
import { servingBytes } from './live-shares.ts'
import { gatewayPolicies } from './policies.ts'
import { requireParts } from './open-gateway-parts.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import { carryingThreads } from './threads/carrying-threads.ts'
import { shareOfProcess } from './threads/share-of-process.ts'
import { drainMs } from './jobs/gateway-jobs.ts'
import { auditReload } from './upkeep/audited-changes.ts'
import { housekeeping } from './upkeep/housekeeping.ts'
import { withRevisions } from './upkeep/policy-revisions.ts'
import { sharedParts } from './shared-parts.ts'
import type { OpenedPlaces, SharedParts } from './shared-parts.ts'
import { openTools } from './open-tools.ts'
import { coreHiddenTools, coreOffers } from './tools/core-tools.ts'
import { threadable, threadsOf } from './threads/threadable.ts'

export interface Gateway {
  /** Without a path: `http://127.0.0.1:8484`. */
  readonly url: string
  /** The names of the extensions that are open, in their order. */
  readonly extensions: readonly string[]
  /** Requests under way that a provider answers. */
  readonly underway: number
  /** What this process counts, as prom-client writes that as JSON. */
  metrics(): Promise<readonly object[]>
  /**
   * Puts another configuration in force for the requests that come from now on; those under way end as they began. Rejects with
   * `invalid-input`, and leaves everything as it is, where the configuration cannot be. `host` and `port` stay.
   */
  reload(config: GatewayConfig): Promise<void>
  /**
   * Stops: after `limits.drainDelayMs`, in which it is not ready and still serves, takes nothing new, lets requests under way end for as long as `graceMs` (`limits.drainMs` by default), and ends
   * those that have not by then in an error of their dialect.
   */
  close(graceMs?: number): Promise<void>
}

/** Starts a gateway. Rejects with `invalid-input` where the configuration would be unsafe, or an extension cannot be opened. */
export async function openGateway(config: GatewayConfig, given: OpenGatewayParts): Promise<Gateway> {
  requireParts(given)
  requireTokenBeyondLoopback(config)
  const blobs = await openBlobs(config, given)
  const opened = await openHot(config, given)
  try {
    return await gatewayOn({ ...opened, blobs }, config, given)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function gatewayOn(opened: OpenedPlaces, config: GatewayConfig, given: OpenGatewayParts): Promise<Gateway> {
  const shared = sharedParts(config, given, opened)
  const { drain } = shared
  const retiring = new Set<Promise<void>>()
  let current = await generation(config, given, shared)
  const listening = await listen((request, response) => current.listener(request, response), {
    ...config,
    drain,
  }).catch(async (error: unknown) => {
    await Promise.all([current.parts.extensions.close(), current.parts.tools.close()])
    throw error
  })
  const stopExpecting = current.parts.inspector && given.expectsReader ? expectWhenIdle(current.parts) : undefined
  const stopWatching = given.store.onTrouble?.((kind) => {
    shared.metrics.storeTroubles.inc({ kind })
    shared.logger.error('store-trouble', { kind })
  })
  return {
    url: listening.url,
    get extensions() {
      return current.parts.extensions.all.map(({ name }) => name)
    },
    get underway() {
      return drain.underway
    },
    metrics: () => shared.metrics.registry.getMetricsAsJSON(),
    async reload(next) {
      requireTokenBeyondLoopback(next)
      requireSamePlace(current.parts.config, next)
      const before = current
      const after = await generation(next, given, shared)
      await auditReload({ ...given, ...shared }, before.parts.config, after.parts.config).catch(
        async (error: unknown) => {
          await after.retire()
          throw error
        },
      )
      current = after
      shared.logger.info('reloaded')
      const retired = before.retire().finally(() => retiring.delete(retired))
      retiring.add(retired)
    },
    async close(graceMs = current.parts.config.limits.drainMs) {
      const { drainDelayMs } = current.parts.config.limits
      drain.announce()
      if (graceMs > 0 && drainDelayMs > 0) await delay(drainDelayMs)
      shared.events.close()
      stopExpecting?.()
      shared.readings.close()
      await shared.replays.close()
      await listening.close(graceMs)
      await Promise.all([current.retire(), ...retiring])
      await shared.otlp?.close()
      shared.keys.close()
      await opened.close()
      stopWatching?.()
    },
  }
}

/** What requests are carried by as long as one configuration is in force. */
interface Generation {
  readonly parts: ServingParts
  readonly listener: RequestListener
  /** Lets its requests end, then lets go of all that is its own. */
  retire(): Promise<void>
}

async function generation(written: GatewayConfig, given: OpenGatewayParts, shared: SharedParts): Promise<Generation> {
  const share = shareOfProcess(written, given.siblings?.count ?? 1)
  const config = { ...share, extensions: [...placedModules(written.extensions, '.')] }
  const parts = await servingParts(config, given, shared)
  try {
    return served(config, { given, post: shared.post }, parts)
  } catch (error) {
    await Promise.all([parts.extensions.close(), parts.tools.close()])
    throw error
  }
}

function served(
  config: GatewayConfig,
  { given, post }: { readonly given: OpenGatewayParts } & Pick<SharedParts, 'post'>,
  parts: ServingParts,
): Generation {
  const stopLearning = post && shareCalibration(parts.calibration, post)
  const carryHere = carrier(parts, wayThrough(parts, given))
  const store = threadable(config, given)
  const threads = store && carryingThreads({ parts, store, carryHere })
  const listener = requestListener(
    parts,
    threads ?? { carry: carryHere, compile: (asked) => compileRoute(parts, asked) },
    threadsOf(config, given),
  )
  const saveLast = housekeeping(parts)
  addExtensionJobs(parts.jobs, parts.extensions)
  const stopForgetting = hearGone(parts.hot, (tenant) => {
    parts.keys.forgetTenant(tenant)
    parts.events.forget(tenant)
    parts.sessions.forget(tenant)
  })
  const stopHearing = parts.events.hear((happening) => parts.extensions.hear(happening))
  const open = openResponses()
  return {
    parts,
    listener(request, response) {
      open.enter(response)
      listener(request, response)
    },
    async retire() {
      await open.ended()
      await Promise.all([threads?.close(), parts.jobs.drain(drainMs)])
      await parts.budgets.close()
      stopHearing()
      stopForgetting()
      stopLearning?.()
      await Promise.all([parts.extensions.close(), parts.tools.close()])
      await saveLast()
      if (!given.upstreams) await parts.upstreams.close()
    },
  }
}

interface OpenResponses {
  enter(response: ServerResponse): void
  /** Resolves when none is open. */
  ended(): Promise<void>
}

function openResponses(): OpenResponses {
  let open = 0
  let told: (() => void) | undefined
  return {
    enter(response) {
      open += 1
      response.once('close', () => {
        open -= 1
        if (open === 0) told?.()
      })
    },
    ended: () => (open === 0 ? Promise.resolve() : new Promise((done) => (told = done))),
  }
}

/** Throws where a configuration says of the running process what only a start can do. */
function requireSamePlace(before: GatewayConfig, next: GatewayConfig): void {
  for (const name of ['host', 'port', 'hot', 'blobs', 's3', 'otlp'] as const)
    if (!isDeepStrictEqual(before[name], next[name]))
      throw invalidInput(name, 'cannot change while the gateway runs', 'Leave it as it is, or start the gateway again.')
}

async function servingParts(
  written: GatewayConfig,
  given: OpenGatewayParts,
  shared: SharedParts,
): Promise<ServingParts> {
  const { store } = given
  const { given: extensions, post: _, otlp: __, ...serving } = shared
  const { logger, clock, events } = serving
  const config = await withRevisions(written, gatewayPolicies(written), { store, clock, logger, events })
  const liveBytes = servingBytes(config.limits.liveBytes, threadsOf(config, given))
  const ofThread = { ...config, limits: { ...config.limits, liveBytes } }
  const { blobs } = serving.openedBlobs
  const tools = await openTools(config, given, { ...serving, blobs })
  try {
    const hiddenTools = [...(given.hiddenTools ?? []), ...coreHiddenTools(tools)]
    const carrying = await gatewayParts(ofThread, {
      ...given,
      ...serving,
      hiddenTools,
      extensions,
      blobs,
      offered: coreOffers(tools, (error) => logger.warn('tools-failed', { doing: 'offered', reason: nameOf(error) })),
    })
    const inspector = given.inspector === undefined ? undefined : await readInspectorPage(given.inspector)
    return { ...carrying, ...serving, config, inspector, tools }
  } catch (error) {
    await tools.close()
    throw error
  }
}

/** Names only: a message may quote what a client sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
