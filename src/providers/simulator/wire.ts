import { PrehendError } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'

export type ProviderHeaders = Readonly<Record<string, string>>

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: ProviderHeaders
  readonly body: string
}

/** A stream that throws `connectionDied` ends without its end. */
export interface WireResponse {
  readonly status: number
  readonly headers: ProviderHeaders
  readonly body: string | AsyncIterable<string>
}

/** Thrown by a body, or instead of a response, when the connection is to break off. */
export const connectionDied = new PrehendError('upstream-broken', 'The simulated connection died.', {
  remedy: 'A script asked for it.',
})

/** A request as the provider refuses it, before it is put into the dialect's words. */
export interface ProviderProblem {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly param?: string
  readonly code?: string
  readonly retryAfterSeconds?: number
  /** What else is told of it, in dialects that tell more. */
  readonly metadata?: JsonObject
}

/** One reason to refuse; undefined when there is none. */
export type Check<Context> = (context: Context) => ProviderProblem | undefined

export function firstProblem<Context>(
  checks: readonly Check<Context>[],
  context: Context,
): ProviderProblem | undefined {
  for (const check of checks) {
    const problem = check(context)
    if (problem !== undefined) return problem
  }
  return undefined
}
