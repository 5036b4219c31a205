import type { Loss } from '../../core/index.ts'
import type { SentBytes } from '../../sessions/index.ts'
import type { Crossed, RoutedModel } from '../../stores/index.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { LogFields } from '../telemetry/logger.ts'

/** How long a layer took by itself, without what came after it. */
export interface LayerTime {
  readonly name: string
  readonly ms: number
}

/** What is noted of a request on its way. */
export interface Trace {
  readonly startedMs: number
  /** Innermost first, as they end. */
  readonly layers: readonly LayerTime[]
  /** Names of layers, parts of them, sources and filters that failed and were left out. */
  readonly skipped: readonly string[]
  /** The provider that was asked last, and when any was for the first time; absent where none was. */
  readonly sent: { readonly upstream: string; readonly atMs: number } | undefined
  /** How the request was written for a provider of another dialect; absent where it was not. */
  readonly crossed: Crossed | undefined
  /** Which model a request that left it open is sent to; absent where it named one. */
  readonly routed: RoutedModel | undefined
  /** Of a request that several models may answer, which has, for each round; undefined for one that does not say. */
  readonly answeredBy: readonly (string | undefined)[]
  /** Dollars that it has cost beside its rounds. */
  readonly chargedUsd: number
  /** Whether a receipt tells how it ended. */
  readonly isFiled: boolean
  /** The bytes of a request that nobody could read or pack, which is to have a receipt all the same. */
  readonly wentAs: SentBytes | undefined
  /** For the line in the log. */
  readonly fields: LogFields
  /** Headers for the client, which win over those of the reply. */
  readonly headers: Readonly<Record<string, string>>
  took(layer: LayerTime): void
  skip(name: string): void
  send(upstream: string): void
  /** Another model is asked: what the last one was asked in does not count. */
  again(): void
  /** Called for each round; the first one counts. */
  cross(crossed: Crossed): void
  /** What a reply said that its way through another dialect did not carry. */
  lose(lost: readonly Loss[]): void
  route(routed: RoutedModel): void
  answered(model: string | undefined): void
  charge(usd: number): void
  goAs(sent: SentBytes): void
  file(): void
  tell(fields: LogFields): void
  show(headers: Readonly<Record<string, string>>): void
}

export interface OpenTrace {
  readonly stopwatch: () => number
  /** When work on the request began. */
  readonly startedMs: number
  /** Called when it goes upstream, each time that it does. */
  readonly whenSent: () => void
}

export function openTrace(options: OpenTrace): Trace {
  return new RequestTrace(options)
}

/** One is made for every request; an object with accessors of its own takes far longer to make. */
class RequestTrace implements Trace {
  readonly startedMs: number
  readonly layers: LayerTime[] = []
  readonly skipped: string[] = []
  sent: Trace['sent']
  crossed: Trace['crossed']
  routed: Trace['routed']
  answeredBy: (string | undefined)[] = []
  chargedUsd = 0
  isFiled = false
  wentAs: Trace['wentAs']
  fields: LogFields = {}
  headers: Trace['headers'] = {}
  readonly #stopwatch: () => number
  readonly #whenSent: () => void

  constructor({ stopwatch, startedMs, whenSent }: OpenTrace) {
    this.#stopwatch = stopwatch
    this.#whenSent = whenSent
    this.startedMs = startedMs
  }

  took(layer: LayerTime): void {
    this.layers.push(layer)
  }

  skip(name: string): void {
    this.skipped.push(name)
  }

  send(upstream: string): void {
    this.sent = { upstream, atMs: this.sent?.atMs ?? this.#stopwatch() }
    this.#whenSent()
  }

  again(): void {
    this.crossed = undefined
    this.answeredBy = []
  }

  cross(crossed: Crossed): void {
    this.crossed ??= crossed
  }

  lose(lost: readonly Loss[]): void {
    if (this.crossed && lost.length > 0) this.crossed = { ...this.crossed, lost: [...this.crossed.lost, ...lost] }
  }

  route(routed: RoutedModel): void {
    this.routed = routed
  }

  answered(model: string | undefined): void {
    this.answeredBy.push(model)
  }

  charge(usd: number): void {
    this.chargedUsd += usd
  }

  goAs(sent: SentBytes): void {
    this.wentAs = sent
  }

  file(): void {
    this.isFiled = true
  }

  tell(fields: LogFields): void {
    this.fields = { ...this.fields, ...fields }
  }

  show(headers: Trace['headers']): void {
    this.headers = { ...this.headers, ...headers }
  }
}

/** What our own work cost before the first word went upstream, in milliseconds. */
export function overheadMs({ startedMs, sent }: Trace, nowMs: number): number {
  return (sent?.atMs ?? nowMs) - startedMs
}

/** Where the time of a request that is over went, by layer too, to a hundredth of a millisecond. */
export function endTimes(
  trace: Trace,
  nowMs: number,
): { readonly overheadMs: number; readonly upstreamMs: number; readonly layers: readonly LayerTime[] } {
  const ours = overheadMs(trace, nowMs)
  return {
    overheadMs: rounded(ours),
    upstreamMs: rounded(nowMs - trace.startedMs - ours),
    layers: trace.layers.map((layer) => ({ ...layer, ms: rounded(layer.ms) })),
  }
}

/** A client that left is no failure of the provider's. */
export function failureCode({ isAbandoned, failure }: ReplyEnd): string | undefined {
  return isAbandoned && failure ? 'client-gone' : failure?.code
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
