import { PrehendError } from '../../core/index.ts'

const retryAfterMs = 1000

/** What becomes of work whose thread has ended, and that cannot be done again unasked. */
export function threadEnded(): PrehendError {
  const remedy = 'Send the request again.'
  const message = `The thread that carried the request has ended. ${remedy}`
  return new PrehendError('unavailable', message, { retryAfterMs, remedy })
}
