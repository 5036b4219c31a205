import { PrehendError } from '../../core/index.ts'
import type { Blobs, Store } from '../../stores/index.ts'

/** What artifacts are kept with. */
export interface ArtifactHost {
  readonly store: Pick<Store, 'commit' | 'read'>
  readonly blobs: Blobs
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** Who changes an artifact, for the audit log. */
export interface ArtifactChanger {
  readonly actor: string
  readonly from: string
}

/** An artifact has so many bytes at most. */
export const mostArtifactBytes = 64 * 1024 * 1024

/** The owner of a tenant's artifacts among blobs: the same bytes of somebody else, such as an extension, are other blobs. */
export function blobOwner(tenant: string): string {
  return `artifacts\0${tenant}`
}

export function noArtifact(what: string): PrehendError<'not-found'> {
  const remedy = 'List artifacts with GET /v1/artifacts or prehend artifacts list.'
  return new PrehendError('not-found', `There is no artifact ${what}. ${remedy}`, { what: 'artifact', remedy })
}

export function tooManyBytes(): PrehendError<'body-too-large'> {
  const remedy = 'Store it in parts.'
  const data = { limitBytes: mostArtifactBytes, field: 'body', remedy }
  return new PrehendError('body-too-large', `An artifact may have ${mostArtifactBytes} bytes at most. ${remedy}`, data)
}
