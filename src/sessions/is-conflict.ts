import { isPrehendError } from '../core/index.ts'

/** Somebody else has written to the session meanwhile. */
export function isConflict(error: unknown): boolean {
  return isPrehendError(error) && error.code === 'conflict'
}
