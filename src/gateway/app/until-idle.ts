import { setTimeout as delay } from 'node:timers/promises'
import { PrehendError } from '../../core/index.ts'
import type { Scope } from '../../stores/index.ts'
import type { ServingParts } from '../parts.ts'

/** Longest that requests of the session under way are waited for. */
const mostMs = 5000
const pollMs = 50
/** Newest requests among which those under way are. */
const newest = 50

type IdleParts = Pick<ServingParts, 'store' | 'clock' | 'stopwatch' | 'startedMs'>

/** Resolves when no request of a session is under way. Rejects with `conflict` where one has been for more than 5 seconds. */
export async function untilIdle(parts: IdleParts, { tenant, session }: Scope): Promise<void> {
  const { store, clock, stopwatch, startedMs } = parts
  const beganMs = stopwatch()
  for (;;) {
    const receipts = await store.read('receipts').list(tenant, { session, limit: newest })
    // What began before this process has nobody who tells its end.
    const underway = receipts.filter(
      ({ result, createdMs, dialect }) => !result && dialect !== 'compile' && createdMs >= startedMs,
    )
    if (underway.length === 0) return
    const oldestMs = Math.min(...underway.map(({ createdMs }) => createdMs))
    if (clock() - oldestMs > mostMs || stopwatch() - beganMs > mostMs) throw stillUnderway(session)
    await delay(pollMs)
  }
}

function stillUnderway(session: string): PrehendError<'conflict'> {
  const what = `session ${session}`
  const remedy = 'Ask again when it has ended.'
  const message = `A request of ${what} has been under way for more than 5 seconds. ${remedy}`
  return new PrehendError('conflict', message, { what, remedy })
}
