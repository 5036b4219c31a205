import { randomUUID } from 'node:crypto'

/** Ids that nobody can guess and that sort by time, so that an index over them grows at its end. */
export function requestIds(clock: () => number): () => string {
  return () => `req_${clock().toString(36).padStart(9, '0')}${randomUUID().replaceAll('-', '')}`
}
