import type { WireExchange, Loss } from '../../core/index.ts'
import type { SentBytes } from '../../sessions/index.ts'
import type { Crossed, LayerFacts, LayerOutcome, LayerResult, ReceiptResult, RoutedModel } from '../../stores/index.ts'
import type { ReplyEnd } from '../outlet/reply.ts'
import type { LabelsOf, LayerMetric } from '../telemetry/layer-metrics.ts'
import type { LogFields } from '../telemetry/logger.ts'
import { boundedFacts } from './facts.ts'
import type { DroppedFact, FactsOf, FactsSchema } from './facts.ts'
import type { FoundSession } from './found-session.ts'

/** A layer that is through with a request. */
export type LayerVisit = Required<Pick<LayerResult, 'name' | 'ms' | 'outcome'>>

/** A layer, as far as it notes facts. */
export interface FactsSource<Schema extends FactsSchema> {
  readonly name: string
  readonly facts?: Schema
}

/** The request as the layer got it that answered or refused it by itself. */
export interface StoppedAt extends WireExchange {
  readonly session?: FoundSession
}

/** What is noted of a request on its way. */
export interface RequestTrace {
  readonly startedMs: number
  /** The innermost layer that let the request go no further; absent where it went on to the end of the way. */
  readonly stopped: StoppedAt | undefined
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
  /** Whether the gateway has asked a stream for usage that the client has not asked for. */
  readonly isUsageAsked: boolean
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
  /** What a layer did, as the trace has it; `stoppedAt` where it let the request go no further. */
  took(layer: LayerVisit, stoppedAt?: StoppedAt): LayerVisit
  /** Notes facts that the layer declares; later ones replace those of the same name. What is not as declared is dropped. */
  note<Schema extends FactsSchema>(layer: FactsSource<Schema>, facts: FactsOf<Schema>): void
  /** Counts what the layer declares: one more by default. */
  count<Metric extends LayerMetric>(metric: Metric, labels: LabelsOf<Metric>, by?: number): void
  /** Says what a layer does where request and reply do not show it: one that reads a reply and hands on the same has changed nothing. */
  did(layer: Pick<LayerVisit, 'name'>, outcome: 'passed' | 'changed'): void
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
  askUsage(): void
  charge(usd: number): void
  goAs(sent: SentBytes): void
  file(): void
  tell(fields: LogFields): void
  show(headers: Readonly<Record<string, string>>): void
  /** What the layers did, innermost first, as they ended; facts stand with the last visit of their layer. */
  layers(): readonly LayerResult[]
}

export interface OpenTrace {
  readonly stopwatch: () => number
  /** When work on the request began. */
  readonly startedMs: number
  /** Called when it goes upstream, each time that it does. */
  readonly whenSent: () => void
  /** Nobody by default. */
  readonly listeners?: TraceListeners
}

/** Who is told of what layers contribute. */
export interface TraceListeners {
  counted<Metric extends LayerMetric>(metric: Metric, labels: LabelsOf<Metric>, by?: number): void
  dropped(layer: string, fact: DroppedFact): void
}

export function openTrace(options: OpenTrace): RequestTrace {
  return new OpenedTrace(options)
}

/** One is made for every request; an object with accessors of its own takes far longer to make. */
class OpenedTrace implements RequestTrace {
  readonly startedMs: number
  stopped: RequestTrace['stopped']
  readonly skipped: string[] = []
  sent: RequestTrace['sent']
  crossed: RequestTrace['crossed']
  routed: RequestTrace['routed']
  answeredBy: (string | undefined)[] = []
  isUsageAsked = false
  chargedUsd = 0
  isFiled = false
  wentAs: RequestTrace['wentAs']
  fields: LogFields = {}
  headers: RequestTrace['headers'] = {}
  readonly #stopwatch: () => number
  readonly #whenSent: () => void
  readonly #visits: LayerVisit[] = []
  readonly #listeners: TraceListeners | undefined
  #facts: Map<string, LayerFacts> | undefined
  #did: Map<string, LayerOutcome> | undefined

  constructor({ stopwatch, startedMs, whenSent, listeners }: OpenTrace) {
    this.#listeners = listeners
    this.#stopwatch = stopwatch
    this.#whenSent = whenSent
    this.startedMs = startedMs
  }

  took(layer: LayerVisit, stoppedAt?: StoppedAt): LayerVisit {
    const { name, outcome } = layer
    const did = outcome === 'passed' || outcome === 'changed' ? this.#did?.get(name) : undefined
    this.#did?.delete(name)
    const visit = did === undefined ? layer : { ...layer, outcome: did }
    this.#visits.push(visit)
    this.stopped ??= stoppedAt
    return visit
  }

  note<Schema extends FactsSchema>(
    { name, facts: schema = {} as Schema }: FactsSource<Schema>,
    noted: FactsOf<Schema>,
  ): void {
    this.#facts ??= new Map()
    const { facts, dropped } = boundedFacts(schema, this.#facts.get(name) ?? {}, noted)
    this.#facts.set(name, facts)
    for (const fact of dropped) this.#listeners?.dropped(name, fact)
  }

  count<Metric extends LayerMetric>(metric: Metric, labels: LabelsOf<Metric>, by?: number): void {
    this.#listeners?.counted(metric, labels, by)
  }

  did({ name }: Pick<LayerVisit, 'name'>, outcome: 'passed' | 'changed'): void {
    this.#did ??= new Map()
    this.#did.set(name, outcome)
  }

  layers(): readonly LayerResult[] {
    const told = new Set<string>()
    const results = this.#visits.toReversed().map((layer): LayerResult => {
      const facts = told.has(layer.name) ? undefined : this.#facts?.get(layer.name)
      told.add(layer.name)
      return { ...layer, ms: rounded(layer.ms), ...(facts && Object.keys(facts).length > 0 && { facts }) }
    })
    return results.toReversed()
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
    this.isUsageAsked = false
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

  askUsage(): void {
    this.isUsageAsked = true
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

  show(headers: RequestTrace['headers']): void {
    this.headers = { ...this.headers, ...headers }
  }
}

/** What our own work cost before the first word went upstream, in milliseconds. */
export function overheadMs({ startedMs, sent }: RequestTrace, nowMs: number): number {
  return (sent?.atMs ?? nowMs) - startedMs
}

/** Where the time of a request that is over went, to a hundredth of a millisecond. */
export function spentTimes(
  trace: RequestTrace,
  nowMs: number,
): { readonly overheadMs: number; readonly upstreamMs: number } {
  const ours = overheadMs(trace, nowMs)
  return { overheadMs: rounded(ours), upstreamMs: rounded(nowMs - trace.startedMs - ours) }
}

/** The name of the upstream that the simulated provider answers for. */
export const simulatedName = 'simulated'

/** What a receipt tells of the way of a request that is over. */
export function wayTaken(
  trace: RequestTrace,
  nowMs: number,
): Pick<ReceiptResult, 'overheadMs' | 'upstreamMs' | 'layers' | 'simulated'> {
  const isSimulated = trace.sent?.upstream === simulatedName
  return { ...spentTimes(trace, nowMs), layers: trace.layers(), ...(isSimulated && { simulated: true }) }
}

/** A client that left is no failure of the provider's. */
export function failureCode({ isAbandoned, failure }: ReplyEnd): string | undefined {
  return isAbandoned && failure ? 'client-gone' : failure?.code
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
