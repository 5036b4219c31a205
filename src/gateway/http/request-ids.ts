import { randomFillSync } from 'node:crypto'

const randomBytes = 16
/** To ask for random bytes takes longer than to get them. */
const idsAtOnce = 256

/** Ids that nobody can guess and that sort by time, so that an index over them grows at its end. */
export function requestIds(clock: () => number): () => string {
  const pool = Buffer.alloc(randomBytes * idsAtOnce)
  let at = pool.length
  return () => {
    if (at === pool.length) {
      randomFillSync(pool)
      at = 0
    }
    at += randomBytes
    return `req_${clock().toString(36).padStart(9, '0')}${pool.toString('hex', at - randomBytes, at)}`
  }
}
