import type { ArtifactWrite } from '../../stores/index.ts'
import { isConflict } from '../is-conflict.ts'
import { blobOwner } from './artifact-host.ts'
import type { ArtifactHost } from './artifact-host.ts'

/** Bytes that nothing names stay so long, since the row that is to name them may still be under way. */
const restMs = 60 * 60 * 1000
const blobsAtOnce = 100

/**
 * Drops bytes that no artifact names and that were announced more than an hour ago: what removed artifacts leave, and what processes that died
 * in the middle of a put have left. Gives how many were dropped. It may run anywhere and any number of times at once; one that broke off is
 * finished by the next.
 */
export async function sweepArtifacts(host: ArtifactHost): Promise<number> {
  const beforeMs = host.clock() - restMs
  let dropped = 0
  for (;;) {
    const found = await host.store.read('artifacts').unnamed(beforeMs, blobsAtOnce)
    let now = 0
    for (const blob of found) now += (await swept(host, blob, beforeMs)) ? 1 : 0
    dropped += now
    if (found.length < blobsAtOnce || now === 0) return dropped
  }
}

/** Nobody can name the bytes again from when they are claimed until they are gone. */
async function swept(
  host: ArtifactHost,
  { tenant, hash }: { readonly tenant: string; readonly hash: string },
  beforeMs: number,
): Promise<boolean> {
  const commit = (write: ArtifactWrite): Promise<void> =>
    host.store.commit({
      scope: { tenant, session: '' },
      nowMs: host.clock(),
      writes: [{ table: 'artifacts', ...write }],
    })
  try {
    await commit({ sweep: hash, beforeMs })
  } catch (error) {
    // Somebody has announced or named them meanwhile.
    if (isConflict(error)) return false
    throw error
  }
  await host.blobs.drop({ tenant: blobOwner(tenant), hash })
  await commit({ swept: hash })
  return true
}
