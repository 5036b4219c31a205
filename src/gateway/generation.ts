import type { RequestListener, ServerResponse } from 'node:http'
import { compileRoute } from './app/compile-route.ts'
import { readInspectorPage } from './app/inspector-files.ts'
import { requestListener } from './app/server.ts'
import type { GatewayConfig } from './config.ts'
import { addExtensionJobs } from './extensions/extension-jobs.ts'
import { placedModules } from './extensions/load-extensions.ts'
import { gatewayParts, wayThrough } from './gateway-parts.ts'
import { carrier } from './http/carry.ts'
import { drainMs } from './jobs/gateway-jobs.ts'
import { hearGone } from './keys/gone-tenants.ts'
import { forgetSeries } from './telemetry/forget-series.ts'
import { servingBytes } from './live-shares.ts'
import { shareCalibration } from './news/shared-calibration.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import type { ServingParts } from './parts.ts'
import { gatewayPolicies } from './policies.ts'
import type { SharedParts } from './shared-parts.ts'
import { openTools } from './open-tools.ts'
import { coreHiddenTools, coreOffers } from './tools/core-tools.ts'
import { sessionTools } from './tools/session-tools.ts'
import { carryingThreads } from './threads/carrying-threads.ts'
import { shareOfProcess } from './threads/share-of-process.ts'
import { threadable, threadsOf } from './threads/threadable.ts'
import { housekeeping } from './upkeep/housekeeping.ts'
import { withRevisions } from './upkeep/policy-revisions.ts'
import { nameOfError } from './telemetry/name-of-error.ts'

/** What requests are carried by as long as one configuration is in force. */
export interface Generation {
  readonly parts: ServingParts
  readonly listener: RequestListener
  /** Lets its requests end, then lets go of all that is its own. */
  retire(): Promise<void>
}

/** A configuration as it is in force, and as it is written, without what tenants have in the store. */
interface Configured {
  readonly config: GatewayConfig
  readonly written: GatewayConfig
}

export async function generation(
  { config: applied, written }: Configured,
  given: OpenGatewayParts,
  shared: SharedParts,
): Promise<Generation> {
  const share = shareOfProcess(applied, given.siblings?.count ?? 1)
  const config = { ...share, extensions: [...placedModules(applied.extensions, '.')] }
  const parts = await servingParts({ config, written }, given, shared)
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
    void forgetSeries(parts.metrics.registry, tenant)
    parts.siblings?.forgetTenant?.(tenant)
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
      parts.sessionParts.meanings?.close()
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

async function servingParts(
  { config: applied, written }: Configured,
  given: OpenGatewayParts,
  shared: SharedParts,
): Promise<ServingParts> {
  const { store } = given
  const { given: extensions, post: _, otlp: __, ...serving } = shared
  const { logger, clock, events } = serving
  const config = await withRevisions(applied, gatewayPolicies(applied), { store, clock, logger, events })
  const liveBytes = servingBytes(config.limits.liveBytes, threadsOf(config, given))
  const ofThread = { ...config, limits: { ...config.limits, liveBytes } }
  const { blobs } = serving.openedBlobs
  const tools = await openTools(config, given, { ...serving, blobs })
  try {
    const failed = (doing: string) => (error: unknown) =>
      logger.warn('tools-failed', { doing, reason: nameOfError(error) })
    const hiddenTools = [...(given.hiddenTools ?? []), ...coreHiddenTools(tools)]
    const carrying = await gatewayParts(ofThread, {
      ...given,
      ...serving,
      hiddenTools,
      extensions,
      blobs,
      ...(hasSources(config, given) && {
        hostedTools: sessionTools(tools, {
          stopwatch: () => performance.now(),
          stageMs: config.limits.stageMs,
          failed: failed('found'),
        }),
      }),
      offered: coreOffers(tools, failed('offered')),
    })
    const inspector = given.inspector === undefined ? undefined : await readInspectorPage(given.inspector)
    return { ...carrying, ...serving, config, written, inspector, tools, storeId: given.storeId }
  } catch (error) {
    await tools.close()
    throw error
  }
}

/** Threads have no registry, so that sessions find tools only where the thread that serves carries all of them. */
function hasSources({ tools }: GatewayConfig, given: OpenGatewayParts): boolean {
  return Object.keys(tools.sources).length > 0 || (given.tools ?? []).length > 0
}
