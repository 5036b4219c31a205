import type { CompileExtras, SessionParts, Sessions } from '../sessions/index.ts'
import type { Blobs, Hot, Store } from '../stores/index.ts'
import type { DialectTable } from '../codecs/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import type { Tracing } from '../tracing/index.ts'
import type { InspectorPage } from './app/inspector-files.ts'
import type { Budgets } from './budgets/open-budgets.ts'
import type { GatewayConfig } from './config.ts'
import type { OpenedBlobs } from './configured-blobs.ts'
import type { GatewayExtensions } from './extensions/additions.ts'
import type { Drain } from './http/drain.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { KnownKeys } from './keys/known-keys.ts'
import type { CalibrationKeeper } from './upkeep/calibration-keeper.ts'
import type { SummaryQueue } from './upkeep/summary-queue.ts'
import type { WarmKeeper } from './upkeep/warm-keeper.ts'
import type { Siblings } from './open-gateway-parts.ts'
import type { GatewayPolicies } from './policies.ts'
import type { ReadingDesk } from './readings/reading.ts'
import type { ReplayDesk } from './replays/replay-desk.ts'
import type { Tenancy } from './tenancy/tenancy.ts'
import type { EventRing, EventSink } from './telemetry/event-ring.ts'
import type { Logger } from './telemetry/logger.ts'
import type { Metrics, ServedMetrics } from './telemetry/metrics.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { Upstreams } from './upstream/upstreams.ts'

/** Everything a request's way through the gateway needs; made once on each thread that carries requests. */
export interface GatewayParts {
  readonly config: GatewayConfig
  readonly policies: GatewayPolicies
  readonly store: Store
  /** Where artifacts have their bytes, as extensions have theirs. */
  readonly blobs: Blobs
  readonly sessions: Sessions
  readonly sessionParts: SessionParts
  readonly upstreams: Upstreams
  /** What is known of models, the configuration's own words included. */
  readonly catalogue: ModelCatalogue
  /** The same as a tenant has it. */
  readonly catalogueOf: (tenant: string) => ModelCatalogue
  readonly calibration: CalibrationKeeper
  readonly budgets: Budgets
  /** Open on this thread. */
  readonly extensions: GatewayExtensions
  /** Those that come with the product, and those of the extensions. */
  readonly dialects: DialectTable
  /** What these make of compiles. */
  readonly compileExtras: CompileExtras
  readonly logger: Logger
  readonly metrics: Metrics
  readonly events: EventSink
  readonly jobs: Jobs
  /** Told of the tools of ours that a request has offered, by their names; nobody is where the registry has none of them. */
  readonly offered?: ((tenant: string, names: readonly string[]) => void) | undefined
  readonly warmKeeper: WarmKeeper
  readonly summaryQueue: SummaryQueue
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Milliseconds since some moment; never goes back. */
  readonly stopwatch: () => number
  /** Records that a stage failed and the request went on without it. */
  readonly skipped: (stage: string, error: unknown, requestId: string) => void
}

/** What the thread that serves has besides. */
export interface ServingParts extends GatewayParts {
  readonly metrics: ServedMetrics
  readonly events: EventRing
  readonly newId: () => string
  readonly hot: Hot
  /** Why the server of the hot state does not answer now; undefined where it does, and where there is none. */
  readonly hotTrouble: () => string | undefined
  readonly siblings: Siblings | undefined
  readonly openedBlobs: OpenedBlobs
  readonly keys: KnownKeys
  readonly tenancy: Tenancy
  /** The configuration as it is written, without what tenants have in the store. */
  readonly written: GatewayConfig
  readonly tools: ToolRegistry
  readonly drain: Drain
  readonly tracing: Tracing | undefined
  readonly inspector: InspectorPage | undefined
  /** As its host names the store. */
  readonly storeId: string | undefined
  readonly replays: ReplayDesk
  readonly readings: ReadingDesk
  /** When the gateway was opened, by its clock. */
  readonly startedMs: number
}
