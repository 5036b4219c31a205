import { PrehendError } from '../../core/index.ts'

/** By then what is the matter is over, or something else listens here. */
const retryAfterMs = 1000

/** A request that may be sent again in a moment. */
export function unavailable(problem: string, remedy = 'Send the request again.'): PrehendError {
  return new PrehendError('unavailable', `${problem} ${remedy}`, { retryAfterMs, remedy })
}
