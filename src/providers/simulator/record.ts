import type { JsonObject, Usage } from '../../core/index.ts'
import type { ProviderHeaders } from './wire.ts'

/** How an exchange ended, seen from the provider. */
export type RequestState = 'open' | 'answered' | 'rejected' | 'failed' | 'aborted'

/** One request as it arrived, and what became of it. Grows while the answer is under way. */
export interface SimulatedRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly headers: ProviderHeaders
  readonly body: string
  /** Absent when the body is not a JSON object. */
  readonly json?: JsonObject
  readonly startMs: number
  state: RequestState
  status?: number
  usage?: Usage
  firstByteMs?: number
  endMs?: number
}
