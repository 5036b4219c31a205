import type { JsonValue } from '../../core/index.ts'
import { callable, objectLike, shape } from '../../core/index.ts'
import { named } from '../../sessions/index.ts'
import type {
  AnyExtension,
  ConfigShape,
  ExtensionHost,
  OpenedExtensions,
  SessionAdditions,
} from '../../sessions/index.ts'
import type { Method } from '../api/route.ts'
import { methods } from '../api/route.ts'
import type { HostLayer } from '../layers/host-layer.ts'

/** What is asked of a route of an extension. */
export interface RouteRequest {
  readonly tenant: string
  /** The parts of the path that stand in braces. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Parsed; undefined where the method has none. */
  readonly body: JsonValue | undefined
  readonly signal: AbortSignal
}

/** The answer of a route: JSON, or a text with its media type. The status is 200 by default. */
export type RouteAnswer =
  | { readonly json: unknown; readonly status?: number }
  | { readonly text: string; readonly type?: string; readonly status?: number }

/** A route below `/v1/extensions/NAME`, for tokens of the gateway alone. */
export interface ExtensionRoute {
  readonly method: Method
  /** Below the extension's own path, such as `/notes/{id}`. */
  readonly path: string
  /** A `PrehendError` is answered with its status. */
  answer(request: RouteRequest): RouteAnswer | Promise<RouteAnswer>
}

/** A counter, `prehend_extension_NAME_METRIC_total` in `/metrics`. */
export interface ExtensionMetric {
  readonly help: string
  /** Each has a hundred values at most; further ones are counted as `other`. */
  readonly labels?: readonly string[]
}

/** Background work of the serving thread. */
export interface ExtensionJob {
  /** Distinct among the jobs of its extension. */
  readonly name: string
  readonly delayMs?: number
  /** From the start of one run to the start of the next; without it there is one run. */
  readonly everyMs?: number
  /** A run that takes longer is aborted and has failed. */
  readonly deadlineMs?: number
  /** Runs after a failed one. */
  readonly retries?: number
  /** Of several processes on one `Hot`, one runs the job, for at most so long. */
  readonly leaseMs?: number
  /** Does one run. It must stop when the signal is aborted; a rejection is a failed run. */
  run(signal: AbortSignal): Promise<unknown>
}

/** A command of the CLI: `prehend NAME …`. */
export interface ExtensionCommand {
  readonly name: string
  /** One line, for the list of commands. */
  readonly about: string
  /** Gives the exit code; nothing means 0. */
  run(invocation: CommandInvocation): number | void | Promise<number | void>
}

/** A call of a command: its arguments, and where its output goes. */
export interface CommandInvocation {
  /** Everything after the command's name, as it was written. */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly interrupted: AbortSignal
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error. */
  err(text: string): void
}

/** Everything that an extension may add; docs/extensions.md says where each kind is used. */
export interface Additions extends SessionAdditions {
  /** On the way of each request, on every thread. */
  readonly layers?: readonly HostLayer[]
  readonly routes?: readonly ExtensionRoute[]
  /** By name: lower-case letters, digits and `_`. */
  readonly metrics?: Readonly<Record<string, ExtensionMetric>>
  readonly jobs?: readonly ExtensionJob[]
  readonly commands?: readonly ExtensionCommand[]
}

/** The extensions of a thread of the gateway, or of a command. */
export type GatewayExtensions = OpenedExtensions<Additions>

/** One way to add to a gateway, to sessions in process and to the CLI. */
export interface Extension<Config = undefined> extends AnyExtension {
  readonly config?: ConfigShape<Config>
  open(host: ExtensionHost<Config>): Additions | Promise<Additions>
}

/**
 * An extension, with the type of its configuration that of its schema. It is the value that it was given: a module whose default export
 * `satisfies Extension` need not import anything.
 *
 * ```ts
 * import { extension } from 'prehend/extension'
 *
 * export default extension({
 *   name: 'greeting',
 *   specificationVersion: 1,
 *   open: () => ({ routes: [{ method: 'get', path: '/', answer: () => ({ text: 'Hello.' }) }] }),
 * })
 * ```
 */
export function extension<Config = undefined>(value: Extension<Config>): Extension<Config> {
  return value
}

const { name, oneOf, optional, text, object, list, positive } = shape

const shapes = {
  layers: list(objectLike('a layer')),
  routes: list(object<ExtensionRoute>({ method: oneOf(methods), path: name, answer: callable() })),
  jobs: list(
    object<ExtensionJob>({
      name,
      delayMs: optional(positive),
      everyMs: optional(positive),
      deadlineMs: optional(positive),
      retries: optional(shape.count),
      leaseMs: optional(positive),
      run: callable(),
    }),
  ),
  commands: list(object<ExtensionCommand>({ name, about: text, run: callable() })),
  metrics: shape.record(object<ExtensionMetric>({ help: name, labels: optional(list(name)) })),
} as const

/** Throws `invalid-input` that names the extension and the member that is not what it must be. */
export function requireAdditions(extensionName: string, added: Additions): void {
  for (const [kind, one] of Object.entries(shapes)) {
    const value = added[kind as keyof typeof shapes]
    if (value !== undefined) shape.check(one, value, `${named(extensionName)}.${kind}`)
  }
}
