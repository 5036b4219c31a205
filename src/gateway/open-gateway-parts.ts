import { invalidInput, shape, withMethods } from '../core/index.ts'
import type { TextEmbedder } from '../knowledge/index.ts'
import type { GivenExtension, HiddenTool, ImageLibrary } from '../sessions/index.ts'
import type { Blobs, Hot, Store, ThreadedStore } from '../stores/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import type { Tracing } from '../tracing/index.ts'
import type { Source } from '../sessions/index.ts'
import type { HostLayer } from './layers/host-layer.ts'
import type { Logger } from './telemetry/logger.ts'
import type { HostTool } from './tools/sources/host-source.ts'
import type { Upstreams } from './upstream/upstreams.ts'

export interface Siblings {
  /** Processes that serve on the port, this one among them: they share the cores and the memory of the machine. */
  readonly count: number
  /** What each of the others gives by `Gateway.metrics`, and what processes had counted that have ended; takes what this one counts. */
  metrics(own: readonly object[]): Promise<readonly (readonly object[])[]>
  /** Whether this process writes what is recorded once for all of them, such as a reload. Default: it does. */
  records?(): boolean
  /** A tenant was deleted: nothing that names it is given by `metrics` any more. */
  forgetTenant?(tenant: string): void
}

/** What a gateway runs on; only the store must be given. What is given stays open when the gateway closes. */
export interface OpenGatewayParts {
  /** One of `threadedSqliteStore` or `postgresStore` can be used from further threads, which then carry requests with large bodies. */
  readonly store: Store & Partial<Pick<ThreadedStore, 'connect' | 'remedy'>>
  /** By which several processes on one store share background work; by default the server that the configuration names, else that of this process alone. Extensions reach it from every thread. */
  readonly hot?: Hot
  /** Where extensions keep bytes; by default where the configuration says, else the folder `blobs` beside the file of the store, else this process. */
  readonly blobs?: Blobs
  /** Those of the configuration by default. */
  readonly upstreams?: Upstreams
  /** Other processes that serve on the same port: `/metrics` shows the sums of all of them. */
  readonly siblings?: Siblings
  readonly logger?: Logger
  /** That of the configuration by default. */
  readonly catalogue?: ModelCatalogue
  /** Where requests, layers, stages of compiles and calls of providers go as spans; nowhere by default. */
  readonly tracing?: Tracing
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
  /** Waits by that clock; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Makes the ids of requests; random by default. */
  readonly newId?: () => string
  /**
   * Extensions as values, beside those that the configuration names. A value cannot cross to another thread: with one, the thread that serves
   * carries every request, as with `layers`, `sources` and `hiddenTools`.
   */
  readonly extensions?: readonly GivenExtension[]
  /** Layers of the host's own: before `collect` and the session, before the one that is named, or in place of a model. */
  readonly layers?: readonly HostLayer[]
  /** What contributes items to requests before they are compiled. */
  readonly sources?: readonly Source[]
  /** Tools that are offered beside `rehydrate`, whose calls are answered here and never reach the client. */
  readonly hiddenTools?: readonly HiddenTool[]
  /** Functions that run as tools of the registry, under the server `host`. */
  readonly tools?: readonly HostTool[]
  /** Makes smaller images where `media` of a policy asks for them: what `sharp` exports. That of the configuration by default. */
  readonly images?: ImageLibrary
  /**
   * Makes vectors of tools and of what is looked for, in place of `embeddings` of the configuration; and for extensions that ask for vectors. It
   * stays on the thread that serves, which then carries every request.
   */
  readonly embedder?: TextEmbedder
  /** Folder of the built inspector, which is then served below `/inspector/`. */
  readonly inspector?: string
  /** Tells the store apart from others, and says nothing of where it is; readiness answers with it. */
  readonly storeId?: string
  /** Whether somebody is likely to open it soon: a thread of its own gets ready for that. Only once it is opened by default. */
  readonly expectsReader?: boolean
}

/** What `openGateway` takes; a name that is none would be taken in silence. */
const partNames: ReadonlySet<string> = new Set<keyof OpenGatewayParts>([
  'store',
  'hot',
  'siblings',
  'blobs',
  'upstreams',
  'logger',
  'catalogue',
  'tracing',
  'clock',
  'wait',
  'newId',
  'extensions',
  'layers',
  'sources',
  'hiddenTools',
  'tools',
  'images',
  'embedder',
  'inspector',
  'storeId',
  'expectsReader',
])

const embedderShape = withMethods<TextEmbedder>('an embedder', ['embed'])

/** What an extension gives, and `openGateway` does not take. */
const ofExtensions: readonly string[] = [
  'ladders',
  'scorer',
  'scorers',
  'detector',
  'detectors',
  'dialects',
  'tables',
  'routes',
  'metrics',
]

/** Throws `invalid-input` that names the first part that is not known. */
export function requireParts(given: OpenGatewayParts): void {
  const wrong = Object.keys(given).find((name) => !partNames.has(name) && ofExtensions.includes(name))
  if (wrong !== undefined)
    throw invalidInput(wrong, 'is not known', 'Give it by an extension: `extensions` of the configuration, or here.')
  shape.checkMembers(given, partNames)
  if (given.embedder !== undefined) shape.check(embedderShape, given.embedder, 'embedder')
}
