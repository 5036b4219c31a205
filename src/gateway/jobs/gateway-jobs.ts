import { setTimeout as delay } from 'node:timers/promises'
import { randomText } from '../../host/index.ts'
import { openJobs } from './jobs.ts'
import type { Jobs, JobsParts } from './jobs.ts'

/** The grace that jobs have when a thread stops: less than a thread has for its last words. */
export const drainMs = 3000

/** Requests to providers that work in the background makes at once. */
const mostRunning = 64

type Given = Pick<JobsParts, 'hot' | 'clock' | 'counts' | 'failed'> & { readonly wait?: JobsParts['wait'] | undefined }

/** The scheduler of a thread of the gateway. No job that waits keeps its process alive. */
export function gatewayJobs(given: Given): Jobs {
  return openJobs({
    ...given,
    owner: randomText(12),
    mostRunning,
    wait: given.wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false })),
    graceWait: (ms, signal) => delay(ms, undefined, { signal }),
  })
}
