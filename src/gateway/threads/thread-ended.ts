import type { PrehendError } from '../../core/index.ts'
import { unavailable } from '../http/unavailable.ts'

/** What becomes of work whose thread has ended, and that cannot be done again unasked. */
export function threadEnded(): PrehendError {
  return unavailable('The thread that carried the request has ended.')
}
