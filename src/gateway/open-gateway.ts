import { setTimeout as delay } from 'node:timers/promises'
import { openBlobs } from './configured-blobs.ts'
import { openHot } from './configured-hot.ts'
import type { GatewayConfig } from './config.ts'
import { carriedGenerations } from './carried-generations.ts'
import { requireTokenBeyondLoopback } from './http/authenticate.ts'
import { listen } from './app/server.ts'
import { expectWhenIdle } from './readings/expect-when-idle.ts'
import { requireParts } from './open-gateway-parts.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import { sharedParts } from './shared-parts.ts'
import type { OpenedPlaces } from './shared-parts.ts'

/** A gateway that serves. */
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
   * `invalid-input`, and leaves everything as it is, where the configuration cannot be. `host` and `port` stay. A function reads the
   * configuration: what it throws counts as a refused reload, too.
   */
  reload(config: GatewayConfig | (() => GatewayConfig)): Promise<void>
  /**
   * Stops: after `limits.drainDelayMs`, in which it is not ready and still serves, takes nothing new, lets requests under way end for as long as `graceMs` (`limits.drainMs` by default), and ends
   * those that have not by then in an error of their dialect.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Starts a gateway. Rejects with `invalid-input` where the configuration would be unsafe, or an extension cannot be opened.
 *
 * ```ts
 * import { memoryStore } from 'prehend'
 * import { openGateway, parseConfig, silentLogger } from 'prehend/gateway'
 *
 * const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore(), logger: silentLogger })
 * console.log(gateway.url)
 * await gateway.close()
 * ```
 */
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
  const { drain, tenancy } = shared
  const carried = await carriedGenerations(config, given, shared)
  const listening = await listen((request, response) => carried.current().listener(request, response), {
    ...config,
    drain,
  }).catch(async (error: unknown) => {
    const { extensions, tools } = carried.current().parts
    await Promise.all([extensions.close(), tools.close()])
    throw error
  })
  const { inspector } = carried.current().parts
  const stopExpecting = inspector && given.expectsReader ? expectWhenIdle(carried.current().parts) : undefined
  const stopWatching = given.store.onTrouble?.((kind) => {
    shared.metrics.storeTroubles.inc({ kind })
    shared.logger.error('store-trouble', { kind })
  })
  const stopRefreshing = tenancy.watch(carried.refresh)
  return {
    url: listening.url,
    get extensions() {
      return carried.current().parts.extensions.all.map(({ name }) => name)
    },
    get underway() {
      return drain.underway
    },
    metrics: () => shared.metrics.registry.getMetricsAsJSON(),
    async reload(next) {
      try {
        await carried.reload(typeof next === 'function' ? next() : next)
        shared.metrics.reloads.inc({ result: 'applied' })
      } catch (error) {
        shared.metrics.reloads.inc({ result: 'refused' })
        shared.logger.error('reload-refused', { reason: error instanceof Error ? error.message : String(error) })
        throw error
      }
    },
    async close(graceMs = carried.current().parts.config.limits.drainMs) {
      const { drainDelayMs } = carried.current().parts.config.limits
      drain.announce()
      if (graceMs > 0 && drainDelayMs > 0) await delay(drainDelayMs)
      stopRefreshing()
      shared.events.close()
      stopExpecting?.()
      shared.readings.close()
      await shared.replays.close()
      await listening.close(graceMs)
      await carried.retire()
      await shared.otlp?.close()
      shared.keys.close()
      shared.stopWatchingHot()
      await opened.close()
      stopWatching?.()
    },
  }
}
