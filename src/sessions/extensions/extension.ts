import type { InjectionDetector, Item, JsonValue, LadderContext, Rendition, SessionEvent } from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Scorer } from '../../compiler/index.ts'
import type { Blobs, Hot, Store, Table, TableTypes, TableView } from '../../stores/index.ts'
import type { Source } from '../collect/source.ts'
import type { HiddenTool } from '../tools/hidden-tool.ts'

export const extensionPlaces = ['gateway', 'session', 'command'] as const
/** Where an extension is opened: on a thread of a gateway, in a session in process, or by a command of the CLI. */
export type ExtensionPlace = (typeof extensionPlaces)[number]

/** Validates a configuration, as Standard Schema describes it: a schema of zod, Valibot or ArkType is one. */
export interface ConfigShape<Config> {
  readonly '~standard': {
    /** The configuration as it was read, or the issues that it has. */
    validate(value: unknown): ConfigResult<Config> | Promise<ConfigResult<Config>>
    readonly types?: { readonly input: unknown; readonly output: Config } | undefined
  }
}

/** A configuration that was accepted, or the issues that it has. */
export type ConfigResult<Config> =
  | { readonly value: Config; readonly issues?: undefined }
  | { readonly issues: readonly ConfigIssue[] }

export interface ConfigIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Writes to the log of the gateway; nothing is written in sessions and commands. No field may hold the text of a prompt. */
export interface ExtensionLog {
  info(event: string, fields?: ExtensionLogFields): void
  warn(event: string, fields?: ExtensionLogFields): void
  error(event: string, fields?: ExtensionLogFields): void
}

type ExtensionLogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** What an extension is given on each thread that opens it. */
export interface ExtensionHost<Config = unknown> {
  readonly config: Config
  readonly place: ExtensionPlace
  readonly store: Store
  /** Small values that the extension keeps in the store, on every thread and across restarts. */
  readonly values: ExtensionValues
  /** One of the extension's `tables` in that store. Throws `invalid-input` where it is none of them. */
  readonly table: <Types extends TableTypes>(table: Table<string, Types>) => TableView<Types>
  /** In a gateway one for all its threads, and for all processes that share it. */
  readonly hot: Hot
  /** Bytes by their content, of this extension alone and of each tenant apart; on every thread of a gateway, and across restarts where the store outlives one. */
  readonly blobs: Blobs
  /** What `openGateway` or `openSession` was given as `embedder`; undefined where that is nothing, and in commands. */
  readonly embedder: TextEmbedder | undefined
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly log: ExtensionLog
  /** Adds to one of the extension's `metrics`, on whatever thread. Throws `invalid-input` where it has not declared it. */
  readonly count: CountMetric
}

/**
 * JSON values by tenant and key, of one extension alone. The newest value stands. A value goes when it was not written for as long as an
 * idle session is kept. Failures reject with `store-failed`.
 */
export interface ExtensionValues {
  /** The value under a key; undefined where there is none. */
  get(tenant: string, key: string): Promise<JsonValue | undefined>
  /** Stores a value under a key, in place of the one before. */
  put(tenant: string, key: string, value: JsonValue): Promise<void>
}

export type CountMetric = (metric: string, labels?: Readonly<Record<string, string>>, by?: number) => void

/** Renditions of an item, dearest first; undefined leaves the item to the next ladder, and at last to the built-in ones. */
export type OwnLadder = (item: Item, context: LadderContext) => readonly Rendition[] | undefined

/** Something that has happened, and in which session. */
export interface HeardEvent {
  readonly tenant: string
  readonly session?: string
  readonly requestId?: string
  readonly event: SessionEvent
}

/** What extensions add to a compile. Pure and synchronous: the same item gives the same answer, on every thread and always. */
export interface CompileAdditions {
  /** Asked before the built-in ladders, in both layouts. */
  readonly ladders?: readonly OwnLadder[]
  /** Scores in [0, 1]; undefined leaves the item to the next scorer, and at last to the composite score. */
  readonly scorers?: readonly Scorer[]
  /** Asked beside the built-in detector where a policy has a defense; the highest score counts. */
  readonly detectors?: readonly InjectionDetector[]
}

/** What an extension adds to sessions, in process and in a gateway. */
export interface SessionAdditions extends CompileAdditions {
  /** Wire dialects beside the built-in ones. */
  readonly dialects?: readonly Codec[]
  /** What contributes items to requests before they are compiled. */
  readonly sources?: readonly Source[]
  /** Tools that are answered here and that neither caller nor client sees. */
  readonly tools?: readonly HiddenTool[]
  /** Told once of each event. What it throws is ignored. */
  events?(heard: HeardEvent): void
  /** Lets go of what `open` has opened. */
  close?(): void | Promise<void>
}

/** An extension, whatever its configuration and whatever it adds. */
export interface AnyExtension {
  /** Lower-case letters, digits and `-`; in logs, metrics, routes and errors. */
  readonly name: string
  readonly specificationVersion: 1
  readonly config?: ConfigShape<unknown>
  /**
   * Tables that stores are opened with. Their names begin with that of the extension: `EXTENSION.TABLE`, and `EXTENSION__TABLE` in SQL. The
   * same on every thread.
   */
  readonly tables?: readonly Table[]
  /** Called once on each thread that uses the extension; gives what it adds. What is wrong rejects and ends the start. */
  open(host: ExtensionHost<never>): object | Promise<object>
}

/** An extension as it is handed in: alone, or with its configuration. */
export type GivenExtension = AnyExtension | { readonly extension: AnyExtension; readonly config: unknown }
