import { PrehendError } from '../core/index.ts'

/** An encode that would make a request which the provider rejects, or lose what it was to show. */
export function cannotEncode(assertion: string, remedy: string): PrehendError<'compile-assertion'> {
  return new PrehendError('compile-assertion', `${assertion}. ${remedy}`, { assertion, remedy })
}
