import {
  compileExtras,
  compilers,
  givenOf,
  handleKeys,
  mediaShop,
  modelWriter,
  openSessions,
  prefixLifetimes,
  catalogueTools,
  rehydrateTool,
  stepOverrun,
} from '../sessions/index.ts'
import { isPrehendError } from '../core/index.ts'
import type { TextEmbedder } from '../knowledge/index.ts'
import type {
  CompileExtras,
  ConfiguredExtension,
  HiddenTool,
  HostedTools,
  ImageLibrary,
  SessionParts,
  SessionWatch,
} from '../sessions/index.ts'
import { inProcessHot, memoryBlobs } from '../stores/index.ts'
import type { Blobs, Hot, Store } from '../stores/index.ts'
import { modelCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import type { GatewayConfig } from './config.ts'
import { knownDialects } from './known-dialects.ts'
import { builtInExtensions } from './extensions/built-in-extensions.ts'
import { openGatewayExtensions } from './extensions/gateway-extensions.ts'
import { budgetsOf } from './budgets/budgets-of.ts'
import { openBudgets } from './budgets/open-budgets.ts'
import type { BudgetParts, Budgets } from './budgets/open-budgets.ts'
import { gatewayMeanings } from './embeddings/gateway-meanings.ts'
import { imageLibrary } from './image-library.ts'
import { gatewayJobs } from './jobs/gateway-jobs.ts'
import { gatewayLayers, requireNames } from './layers/gateway-layers.ts'
import type { HostLayers } from './layers/gateway-layers.ts'
import type { Next } from './exchange/layer.ts'
import { runLayers } from './layers/run-layers.ts'
import type { GatewayParts } from './parts.ts'
import { gatewayPolicies } from './policies.ts'
import { catalogues, tenantParts } from './tenant-parts.ts'
import { settingsFor } from './tenant-settings.ts'
import type { EventSink } from './telemetry/event-ring.ts'
import type { LogFields, Logger } from './telemetry/logger.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { summaryQueue } from './upkeep/summary-queue.ts'
import { summaryModel } from './layers/session/summary-work.ts'
import { warmKeeper } from './upkeep/warm-keeper.ts'
import { calibrationKeeper } from './upkeep/calibration-keeper.ts'
import { accessGate } from './upstream/access-gate.ts'
import { upstreamOutlet } from './upstream/upstream-outlet.ts'
import { providerUpstreams } from './upstream/upstreams.ts'
import type { Upstreams } from './upstream/upstreams.ts'

/** What the parts of a thread are made of. */
export interface PartsGiven<Told extends Metrics> {
  readonly store: Store
  /** That of this thread alone by default. */
  readonly hot?: Hot | undefined
  readonly logger: Logger
  readonly metrics: Told
  readonly events: EventSink
  readonly catalogue?: ModelCatalogue | undefined
  readonly upstreams?: Upstreams | undefined
  readonly clock?: (() => number) | undefined
  /** Of the same time as the clock. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  readonly hiddenTools?: readonly HiddenTool[] | undefined
  /** Tools that models may find in sessions. */
  readonly hostedTools?: HostedTools | undefined
  /** Beside those that the configuration names. */
  readonly extensions?: readonly ConfiguredExtension[] | undefined
  /** Of extensions, where it is another one than that of the thread's jobs. */
  readonly extensionHot?: Hot
  /** Whether the hot state that budgets go by lives and dies with the process; it does where this thread made it. */
  readonly hotIsOfProcess?: boolean
  /** Of artifacts and extensions; those of this thread alone by default. */
  readonly blobs?: Blobs
  /** That of the configuration by default. */
  readonly images?: ImageLibrary | undefined
  /** Of tools and what is looked for, in place of that of the configuration; and for extensions. */
  readonly embedder?: TextEmbedder | undefined
  /** What is known of the models' counts already, where the store is not to be asked. */
  readonly calibration?: string
  readonly compiles?: SessionWatch['compiles']
  readonly offered?: GatewayParts['offered']
}

/** Makes what requests are carried with. */
export async function gatewayParts<Told extends Metrics>(
  config: GatewayConfig,
  given: PartsGiven<Told>,
): Promise<GatewayParts & { readonly metrics: Told }> {
  const { store, logger: log, clock = Date.now } = given
  const hot = given.hot ?? inProcessHot({ clock })
  const blobs = given.blobs ?? memoryBlobs()
  const values = [...builtInExtensions(config), ...(given.extensions ?? [])]
  const opening = {
    place: 'gateway',
    store,
    hot: given.extensionHot ?? hot,
    blobs,
    embedder: given.embedder,
    clock,
    log,
    metrics: given.metrics.layers,
  } as const
  const extensions = await openGatewayExtensions({ ...opening, named: config.extensions, given: values })
  try {
    return await partsWith(config, { ...given, hot, blobs, extensions })
  } catch (error) {
    await extensions.close()
    throw error
  }
}

type PartsOpened<Told extends Metrics> = Omit<PartsGiven<Told>, 'extensions' | 'hot' | 'blobs'> &
  Pick<GatewayParts, 'extensions' | 'blobs'> & { readonly hot: Hot }

async function partsWith<Told extends Metrics>(
  config: GatewayConfig,
  given: PartsOpened<Told>,
): Promise<GatewayParts & { readonly metrics: Told }> {
  const dialects = knownDialects(config, given.extensions)
  const {
    store,
    logger,
    metrics,
    events,
    catalogue = modelCatalogue(config),
    upstreams = providerUpstreams(config, { catalogue, dialects }),
    clock = Date.now,
    blobs,
    wait,
    extensions,
  } = given
  const jobs = jobsWith(given, clock)
  const base = {
    config,
    policies: gatewayPolicies(config),
    store,
    blobs,
    upstreams,
    logger,
    metrics,
    events,
    clock,
    stopwatch: () => performance.now(),
    catalogue,
    catalogueOf: catalogues(config, catalogue),
    extensions,
    dialects,
    compileExtras: extrasOf(extensions),
    jobs,
    warmKeeper: warmKeeper({
      store,
      settings: (tenant) => settingsFor(config, tenant).promptCache,
      clock,
      jobs,
      metrics,
      logger,
    }),
    summaryQueue: summaryQueue({ store, clock, jobs, metrics, logger, limits: config.summaries }),
    budgets: budgetsWith(config, given, { store, clock, wait, metrics, logger }),
    calibration: await calibrationKeeper({ store, logger, catalogue, known: given.calibration }),
    skipped(stage: string, error: unknown, requestId: string) {
      metrics.skipped.inc({ stage })
      const level = stage === 'compile' ? 'error' : 'warn'
      logger[level]('stage-skipped', { requestId, stage, reason: reasonOf(error), ...whatToDo(error) })
    },
  }
  const handleKey = await handleKeys(store)
  const tools = toolsOf(given)
  const images = given.images ?? (await imageLibrary(config.images))
  const media = mediaShop({ images, store, limitMs: config.limits.stageMs })
  const found = { tools, hostedTools: given.hostedTools, meanings: gatewayMeanings(base, given.embedder) }
  const sessionParts: SessionParts = { ...partsOfSessions(base, given.compiles), handleKey, media, ...found }
  return { ...base, offered: given.offered, sessionParts, sessions: openSessions(sessionParts) }
}

function toolsOf<Told extends Metrics>({ hiddenTools = [], extensions }: PartsOpened<Told>): readonly HiddenTool[] {
  const tools = [rehydrateTool, ...catalogueTools, ...hiddenTools, ...givenOf(extensions, 'tools').flat()]
  requireNames(
    'hiddenTools',
    tools.map(({ definition }) => definition.name),
  )
  return tools
}

function jobsWith<Told extends Metrics>(
  { hot, wait, logger, metrics }: PartsOpened<Told>,
  clock: () => number,
): GatewayParts['jobs'] {
  const failed = (job: string, error: unknown): void => logger.warn('job-failed', { job, reason: reasonOf(error) })
  return gatewayJobs({ hot, clock, wait, counts: metrics.jobs, failed })
}

type BudgetSurroundings = Pick<BudgetParts, 'store' | 'clock' | 'wait' | 'metrics' | 'logger'>

function budgetsWith<Told extends Metrics>(
  config: GatewayConfig,
  { hot, extensionHot = hot, hotIsOfProcess = extensionHot.isOfProcess }: PartsOpened<Told>,
  surroundings: BudgetSurroundings,
): Budgets {
  const areOfProcess = hotIsOfProcess === true
  return openBudgets({ ...surroundings, budgetsOf: budgetsOf(config), ledgers: extensionHot, areOfProcess })
}

/** The way of requests through the layers to the provider. */
export function wayThrough(parts: GatewayParts, host: HostLayers): Next {
  const { extensions } = parts
  return runLayers({
    layers: gatewayLayers(parts, {
      layers: [...(host.layers ?? []), ...givenOf(extensions, 'layers').flat()],
      sources: [...(host.sources ?? []), ...givenOf(extensions, 'sources').flat()],
    }),
    last: accessGate(parts, upstreamOutlet(parts)),
    stopwatch: parts.stopwatch,
    skipped: parts.skipped,
    failed: (layer, error, requestId) =>
      parts.logger.warn('layer-failed', { requestId, layer, reason: reasonOf(error) }),
  })
}

type OtherParts = Omit<GatewayParts, 'sessions' | 'sessionParts'>

function partsOfSessions(
  parts: OtherParts,
  compiles: SessionWatch['compiles'],
): Omit<SessionParts, 'handleKey' | 'tools'> {
  const { config, store, clock, stopwatch, catalogue, calibration, metrics, logger, events, skipped } = parts
  const { compileExtras: extras } = parts
  const { rehydrateRounds, rehydrateChars, ...limits } = config.limits
  return {
    store,
    clock,
    stopwatch,
    limits: {
      ...limits,
      hiddenRounds: rehydrateRounds,
      answerChars: rehydrateChars,
    },
    recordsContent: config.record === 'content',
    compile: compilers(catalogue, extras),
    tenant: tenantParts(parts),
    lifetimes: prefixLifetimes(),
    summaries: knownSummaries(parts),
    modelInfo: catalogue.info,
    fittingTokens: calibration.fittingTokens,
    watch: {
      failed: skipped,
      slow(stage, tookMs, requestId) {
        metrics.slow.inc({ stage })
        logger.warn('stage-slow', { requestId, stage, tookMs: Math.round(tookMs) })
      },
      missed({ scope: { tenant, session }, requestId, step, missed }) {
        const event = stepOverrun(step, missed)
        events.tell({ tenant, session, requestId, event })
        for (const { limit, most, actual } of missed) logger.warn('step-limit', { requestId, limit, most, actual })
      },
      answered: (result) => metrics.rehydrations.inc({ result }),
      ...(compiles && { compiles }),
    },
  }
}

/** What a model has written of a conversation's blocks by now; nobody waits for more. */
function knownSummaries(parts: OtherParts): NonNullable<SessionParts['summaries']> {
  return (tenant, { wire, conversation }, policy) => {
    const model = policy.summaries?.writer === 'model' ? summaryModel(parts, tenant, wire.dialect) : undefined
    return model === undefined ? [] : parts.summaryQueue.given(tenant, conversation.items, policy, modelWriter(model))
  }
}

function extrasOf({ all }: GatewayParts['extensions']): CompileExtras {
  return compileExtras(all.map(({ added }) => added))
}

/** The field that an error names, its cause, and what to do about it. Its message may quote what a client sent. */
function whatToDo(error: unknown): LogFields {
  if (!isPrehendError(error)) return {}
  const { data } = error
  return {
    ...('field' in data && { field: data.field }),
    ...('cause' in data && { cause: data.cause }),
    remedy: data.remedy,
  }
}

/** Names and codes only: a message may quote what a client sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}
