import type {
  CompactionConfig,
  CompileEvent,
  GivenSummary,
  InjectionDetector,
  Item,
  PolicyUpdate,
  Situation,
  StepOverrun,
} from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import {
  callable,
  compactionConfigShape,
  objectLike,
  shape,
  situationShape,
  stepLimitsShape,
  withMethods,
} from '../../core/index.ts'
import type { PolicyChoice } from '../../compiler/index.ts'
import type { Blobs, HostStep, StepTools, Store } from '../../stores/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { ImageLibrary } from '../media/image-library.ts'
import type { SessionWatch } from '../session-parts.ts'
import { sourceShape } from '../collect/source.ts'
import type { Source } from '../collect/source.ts'
import type { GivenExtension } from '../extensions/extension.ts'
import type { HiddenTool } from '../tools/hidden-tool.ts'
import { hiddenToolShape } from '../tools/hidden-tool-shape.ts'

/** How a session packs, and where it keeps what must outlive a request. */
export interface SessionOptions {
  /** A policy, or the name of one that comes with the product; `balanced` by default. */
  readonly policy?: PolicyChoice
  /** What the conversation is part of: selects the policy's overrides. Its tenant is the one below by default. */
  readonly situation?: Situation
  /** In memory by default. Any number of sessions, processes and gateways may share one. */
  readonly store?: Store
  /** Where extensions keep bytes; in memory by default. */
  readonly blobs?: Blobs
  /** Makes vectors of tools and of what is looked for, so that tools are found by what they mean, too; and for extensions that ask for vectors. */
  readonly embedder?: TextEmbedder
  /** Told by how the conversation begins where absent. */
  readonly id?: string
  /** Whose data it is: nothing is ever found across tenants. */
  readonly tenant?: string
  /** Facts about models, where the product's own are not enough. */
  readonly catalogue?: ModelCatalogue
  /** In place of the built-in detector of orders in data; asked only where the policy has a defense. */
  readonly detector?: InjectionDetector
  /** When the session is compacted, and how; the policy alone decides by default. */
  readonly compaction?: CompactionConfig
  /** Tools that are answered here and that the caller never sees, beside `rehydrate`. */
  readonly hiddenTools?: readonly HiddenTool[]
  /** What contributes items to requests before they are compiled, beside those of extensions. Asked once for a turn of the user, or with every request. */
  readonly sources?: readonly Source[]
  /** How long a source may take, in milliseconds, before a request goes on without it; 300 by default. */
  readonly collectMs?: number
  /** Opened with the first request and closed by nobody but `close`: their tools, ladders, scorers, detectors and events are the session's, too. */
  readonly extensions?: readonly GivenExtension[]
  /** Whether the model is offered `rehydrate`; without it only what loses nothing is left out. On by default. */
  readonly rehydrate?: boolean
  /** Whether instructions in which a clock or an id changes are sent as they were first, and what they say by now at the end. On by default. */
  readonly steadyInstructions?: boolean
  /** Whether receipts keep what is needed to make their request again. */
  readonly record?: 'decisions' | 'content'
  /** Told of steps that failed, so that a request went on without them. */
  readonly onFailure?: SessionWatch['failed']
  /** Told once of what happens: what a compile tells its host, steps that take more than they may, and changes of the policy. */
  readonly onEvent?: (event: CompileEvent | PolicyUpdate | StepOverrun) => void
  /** What the host has had written of a conversation's blocks, see `summaryBlocks`; asked for each request, which waits for nothing else. */
  readonly summaries?: (items: readonly Item[]) => readonly GivenSummary[]
  /** Makes smaller images where the policy's `media` asks for them: what `sharp` exports. Without, images stay as they came. */
  readonly images?: ImageLibrary
  /** Where the stages of each compile go as spans, within one of `prehend.pack`; nowhere by default. */
  readonly tracing?: Tracing
  /** Milliseconds since the epoch. */
  readonly clock?: () => number
}

/** What holds for one request only, where one value serves conversations that are not alike. */
export interface RequestOptions {
  /** In place of the `id` of all. */
  readonly id?: string
  /** In place of `rehydrate` for all. */
  readonly rehydrate?: boolean
  /** What this request is part of, member by member before what holds for all. */
  readonly situation?: Situation
  /** What the caller is doing, by its own names, and what that may take; stands in the receipt. */
  readonly step?: HostStep
  /** Aborted when nobody waits for the reply any more: calls of hidden tools are broken off. */
  readonly signal?: AbortSignal
}

const { flag, list, name, object, oneOf, optional } = shape

export const sessionOptionsShape = object<SessionOptions>({
  policy: optional<PolicyChoice>({ about: 'a policy', schema: {}, problem: () => undefined }),
  situation: optional(situationShape),
  store: optional(withMethods<Store>('a store', ['commit', 'read'])),
  blobs: optional(withMethods<Blobs>('a store of blobs', ['put', 'get', 'drop'])),
  embedder: optional(withMethods<TextEmbedder>('an embedder', ['embed'])),
  id: optional(name),
  tenant: optional(name),
  catalogue: optional(withMethods<ModelCatalogue>('a catalogue', ['info'])),
  detector: optional(withMethods<InjectionDetector>('a detector', ['score'])),
  compaction: optional(compactionConfigShape),
  hiddenTools: optional(list(hiddenToolShape)),
  sources: optional(list(sourceShape)),
  collectMs: optional(shape.positive),
  extensions: optional(list(objectLike<GivenExtension>('an extension'))),
  rehydrate: optional(flag),
  steadyInstructions: optional(flag),
  record: optional(oneOf(['decisions', 'content'])),
  onFailure: optional(callable()),
  onEvent: optional(callable()),
  summaries: optional(callable()),
  images: optional(callable()),
  tracing: optional(withMethods<Tracing>('tracing', ['begin'])),
  clock: optional(callable()),
})

export const requestOptionsShape = object<RequestOptions>({
  id: optional(name),
  rehydrate: optional(flag),
  situation: optional(situationShape),
  step: optional(
    object<HostStep>({
      taskId: optional(name),
      stepId: optional(name),
      limits: optional(stepLimitsShape),
      tools: optional(object<StepTools>({ scopes: optional(list(name)), only: optional(list(name)) })),
    }),
  ),
  signal: optional(withMethods<AbortSignal>('an AbortSignal', ['addEventListener', 'removeEventListener'])),
})
