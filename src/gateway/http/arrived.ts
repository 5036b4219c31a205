import type { IncomingHttpHeaders } from 'node:http'
import type { PrehendError, Principal } from '../../core/index.ts'
import type { Upload } from '../../providers/index.ts'
import type { SpanRecord } from '../../tracing/index.ts'
import type { ProviderRoute } from './provider-route.ts'

/** A request that was let in, and whose body is here as far as anybody is to read it. Nothing of it has been looked at. */
export interface ArrivedRequest {
  readonly requestId: string
  readonly route: ProviderRoute
  readonly tenant: string
  readonly principal: Principal
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** In milliseconds since the epoch. */
  readonly receivedMs: number
  /** When work on it began, by the stopwatch. */
  readonly startedMs: number
  /** Absent where the method has no body, and where nobody reads it. */
  readonly bytes?: Buffer
  /** A body that is passed on while it comes. */
  readonly upload?: Upload
  /** Why it is to go on as it came, unread. */
  readonly unread?: PrehendError
  /** To be called as soon as it goes upstream. */
  readonly whenSent: () => void
  /** To be told at its end how it went, as a span; absent where nobody traces. */
  readonly whenTraced?: (record: SpanRecord) => void
}
