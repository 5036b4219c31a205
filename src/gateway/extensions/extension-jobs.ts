import type { Job } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { ExtensionJob } from './additions.ts'
import type { GatewayExtensions } from './additions.ts'

/** Gives the jobs of extensions to the scheduler of the serving thread. */
export function addExtensionJobs(jobs: Jobs, { all }: GatewayExtensions): void {
  for (const { name, added } of all) for (const job of added.jobs ?? []) jobs.add(jobOf(name, job))
}

function jobOf(extension: string, { name, deadlineMs, retries, leaseMs, ...when }: ExtensionJob): Job {
  const { run, delayMs, everyMs } = when
  return {
    kind: {
      name: `${extension}/${name}`,
      atDrain: 'abort',
      ...(deadlineMs !== undefined && { deadlineMs }),
      ...(retries !== undefined && { retries }),
      ...(leaseMs !== undefined && { leaseMs }),
    },
    name,
    ...(delayMs !== undefined && { delayMs }),
    ...(everyMs !== undefined && { everyMs }),
    run,
  }
}
