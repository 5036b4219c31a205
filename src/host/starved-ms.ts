import { builtinModule } from './builtin-module.ts'

/** Readings that are closer together say nothing new. */
const leastApartMs = 40
const tasks = '/proc/self/task'

let readAtMs = -Infinity
let waited: ReadonlyMap<string, number> = new Map()
let totalMs = 0

/**
 * How long this process could not go on because the processors were busy with something else: what the thread that waited the longest has
 * waited, between one call and the next, added up. Only differences mean anything. It stands still where the system does not say.
 */
export function starvedMs(): number {
  const nowMs = performance.now()
  if (nowMs - readAtMs < leastApartMs) return totalMs
  const now = readWaits()
  let most = 0
  for (const [thread, ms] of now) most = Math.max(most, ms - (waited.get(thread) ?? ms))
  readAtMs = nowMs
  waited = now
  totalMs += most
  return totalMs
}

/** What each thread has waited since it began, as Linux counts it. */
function readWaits(): ReadonlyMap<string, number> {
  const files = builtinModule('node:fs')
  const waits = new Map<string, number>()
  if (!files?.existsSync(tasks)) return waits
  for (const thread of files.readdirSync(tasks)) {
    try {
      const [, waitNs = ''] = files.readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ')
      waits.set(thread, Number(waitNs) / 1e6)
    } catch {
      // The thread has ended, or nobody counts.
    }
  }
  return waits
}
