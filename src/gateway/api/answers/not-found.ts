import { PrehendError } from '../../../core/index.ts'

export function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no such ${what}. ${remedy}`, { what, remedy })
}
