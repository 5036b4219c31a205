import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Artifact, ArtifactClass, ArtifactWrite, BlobRef } from '../../stores/index.ts'
import { isConflict } from '../is-conflict.ts'
import { blobOwner, mostArtifactBytes, tooManyBytes } from './artifact-host.ts'
import type { ArtifactHost } from './artifact-host.ts'
import { readArtifactUri } from './artifact-uri.ts'

/** The input of `putArtifact`: the bytes, and their name. */
export interface NewArtifact {
  readonly tenant: string
  /** `artifact://tasks/{task}/step-{n}/{name}`; the scheme may be left out. */
  readonly uri: string
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>
  /** `application/octet-stream` by default. */
  readonly mediaType?: string | undefined
  /** Which retention window it has; `evidence` by default. */
  readonly class?: ArtifactClass | undefined
  readonly session?: string | undefined
  readonly requestId?: string | undefined
  /** Rejects with `precondition-failed` where the path has a version already. */
  readonly onlyNew?: boolean | undefined
}

/** So often another writer may come first. */
const mostTries = 100
/** While a sweep drops the same bytes. */
const sweepWaitMs = 50

/**
 * Stores bytes as the next version of a path. The bytes survive before the row that names them is committed, so that a process that dies in
 * between leaves no artifact, and what it leaves is swept. Rejects with `invalid-input`, `body-too-large` or `store-failed`.
 */
export async function putArtifact(host: ArtifactHost, asked: NewArtifact): Promise<Artifact> {
  const { tenant, uri, mediaType = 'application/octet-stream', class: of = 'evidence', session, requestId } = asked
  const named = readArtifactUri(uri)
  if (!('path' in named))
    throw invalidInput('uri', 'is a hash, which nothing can be stored under', 'Name tasks/TASK/step-N/NAME.')
  requireMediaType(mediaType)
  const { path } = named
  const first = await host.store.read('artifacts').get(tenant, path)
  if (asked.onlyNew && first) throw isThere(path)
  const { hash: sha256, sizeBytes } = await storedBytes(host, tenant, asked.bytes)
  const origin = { ...(session !== undefined && { session }), ...(requestId !== undefined && { requestId }) }
  const row = { path, sha256, sizeBytes, mediaType, class: of, ...origin }
  for (let tries = 1; ; tries += 1) {
    const newest = await host.store.read('artifacts').get(tenant, path)
    if (asked.onlyNew && newest) throw isThere(path)
    const nowMs = host.clock()
    const artifact = { ...row, version: (newest?.version ?? 0) + 1 }
    try {
      await commit(host, { tenant, nowMs, write: { artifact } })
      return { ...artifact, tenant, createdMs: nowMs, hold: false }
    } catch (error) {
      if (!isConflict(error) || tries === mostTries) throw error
    }
  }
}

/** Stores bytes as they come, after the sweep was told of them. */
async function storedBytes(host: ArtifactHost, tenant: string, bytes: NewArtifact['bytes']): Promise<BlobRef> {
  let isAnnounced = false
  const beforeStored = async ({ hash }: BlobRef): Promise<void> => {
    await announced(host, tenant, hash)
    isAnnounced = true
  }
  const isWhole = bytes instanceof Uint8Array
  if (isWhole && bytes.length > mostArtifactBytes) throw tooManyBytes()
  const ref = await host.blobs.put(blobOwner(tenant), isWhole ? bytes : bounded(bytes), { beforeStored })
  if (isAnnounced) return ref
  // The sweep finds what was stored.
  await announced(host, tenant, ref.hash)
  const remedy = 'Let put of these blobs call beforeStored, as blobsContract of prehend/testing has it.'
  throw new PrehendError('store-failed', `The blobs did not say what they were about to store. ${remedy}`, { remedy })
}

/** Tells the sweep of the bytes first. It may just be dropping the same bytes, which takes no longer than the drop of one blob. */
async function announced(host: ArtifactHost, tenant: string, hash: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit(host, { tenant, nowMs: host.clock(), write: { blob: hash } })
    } catch (error) {
      if (!isConflict(error) || tries === mostTries) throw error
      await new Promise((done) => setTimeout(done, sweepWaitMs))
    }
  }
}

interface Committed {
  readonly tenant: string
  readonly nowMs: number
  readonly write: ArtifactWrite
}

function commit({ store }: ArtifactHost, { tenant, nowMs, write }: Committed): Promise<void> {
  return store.commit({ scope: { tenant, session: '' }, nowMs, writes: [{ table: 'artifacts', ...write }] })
}

async function* bounded(given: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let sizeBytes = 0
  for await (const part of given) {
    sizeBytes += part.length
    if (sizeBytes > mostArtifactBytes) throw tooManyBytes()
    yield part
  }
}

function requireMediaType(mediaType: string): void {
  if (
    /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}( ?; ?[\w-]{1,32}=("[\w .:/+-]{0,64}"|[\w.:/+-]{1,64})){0,4}$/.test(
      mediaType,
    )
  )
    return
  throw invalidInput('mediaType', 'is no media type', 'Give one such as text/markdown; charset=utf-8.')
}

function isThere(path: string): PrehendError<'precondition-failed'> {
  const remedy = 'Leave out the condition to add a version, or choose another name.'
  return new PrehendError('precondition-failed', `There is an artifact ${path} already. ${remedy}`, { remedy })
}
