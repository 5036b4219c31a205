import type { SentError } from '../../core/index.ts'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { MessagePort } from 'node:worker_threads'
import type { Dialect } from '../../core/index.ts'
import type { SpanRecord } from '../../tracing/index.ts'
import type { CompileAnswer, CompileRequest } from '../app/compile-route.ts'
import type { GatewayConfig } from '../config.ts'
import type { BlobsPlace } from '../configured-blobs.ts'
import type { ArrivedRequest } from '../http/arrived.ts'
import type { ExchangeKind } from '../exchange/exchange.ts'
import type { Happening } from '../telemetry/event-ring.ts'
import type { LogFields, Logger } from '../telemetry/logger.ts'
import type { Observation } from '../upkeep/calibration-keeper.ts'

/** What a thread is started with. */
export interface ThreadStart {
  readonly config: GatewayConfig
  /** What is known of the models' counts by now, as the store has it. */
  readonly calibration: string
  readonly pulse: SharedArrayBuffer
  /** To the `Hot` of the thread that serves. */
  readonly hot: MessagePort
  /** What to do about a failure of the store. */
  readonly storeRemedy: string | undefined
  /** Where to open blobs, or a port to those of the thread that serves. */
  readonly blobs: BlobsPlace | MessagePort
  /** Whether that lives and dies with the process. */
  readonly hotIsOfProcess: boolean
}

/** A request for a thread to carry; `id` is a number by which its messages are told apart. */
export interface CarriedRequest extends Pick<
  ArrivedRequest,
  'requestId' | 'tenant' | 'principal' | 'method' | 'receivedMs'
> {
  readonly id: number
  readonly kind: ExchangeKind
  readonly dialect: Dialect
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** When work on it began, in milliseconds since the epoch, to a fraction: stopwatches of threads begin at different times. */
  readonly startedEpochMs: number
  /** Whether it is to be told how it went, as a span. */
  readonly traces: boolean
  /** Handed over. */
  readonly body: Uint8Array<ArrayBuffer>
}

/** What a thread is told. */
export type ThreadOrder =
  | { readonly kind: 'store'; readonly port: MessagePort }
  | { readonly kind: 'carry'; readonly request: CarriedRequest }
  /** The client has been sent so many bytes more. */
  | { readonly kind: 'taken'; readonly id: number; readonly bytes: number }
  /** The client has left; or, with a reason, the gateway must end the request. */
  | { readonly kind: 'end'; readonly id: number; readonly reason?: SentError }
  | { readonly kind: 'compile'; readonly id: number; readonly request: CompileRequest }
  | { readonly kind: 'observed'; readonly seen: Observation }
  | { readonly kind: 'close' }

/** Some of an answer, in the order in which it is to be written. */
export interface AnswerPart {
  readonly id: number
  readonly head?: { readonly status: number; readonly headers: OutgoingHttpHeaders }
  /** What follows is a stream of events. */
  readonly streams?: true
  readonly bytes?: Uint8Array
  readonly isLast?: true
}

/** What a thread tells. */
export type ThreadNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sent'; readonly id: number }
  | { readonly kind: 'traced'; readonly id: number; readonly record: SpanRecord }
  | { readonly kind: 'answer'; readonly part: AnswerPart }
  /** The connection is to be cut. */
  | { readonly kind: 'cut'; readonly id: number }
  /** Nothing comes after it. */
  | { readonly kind: 'over'; readonly id: number }
  | { readonly kind: 'compiled'; readonly id: number; readonly answer: CompileAnswer }
  | { readonly kind: 'uncompiled'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'told'; readonly told: readonly Told[] }

export type Labels = Readonly<Record<string, string>>

/** What a thread has to say to those who listen on the serving one: to the metrics, the log, and the calibration. */
export type Told =
  | {
      readonly to: 'metrics'
      /** A member of the metrics, or the name of a metric that a layer declares. */
      readonly name: string
      readonly labels?: Labels | undefined
      readonly by: number
      /** One of the values of a histogram; what counts is added up. */
      readonly isValue?: true
    }
  | {
      readonly to: 'log'
      readonly level: keyof Logger
      readonly event: string
      readonly fields?: LogFields | undefined
    }
  | { readonly to: 'events'; readonly happening: Happening }
  | { readonly to: 'calibration'; readonly seen: Observation }
