import { invalidInput, PrehendError } from '../../core/index.ts'
import type { Artifact, ArtifactQuery, ByteRange } from '../../stores/index.ts'
import { blobOwner, noArtifact } from './artifact-host.ts'
import type { ArtifactHost } from './artifact-host.ts'
import { isArtifactPrefix, readArtifactUri } from './artifact-uri.ts'

/** The name of an artifact, and its version. */
export interface ArtifactWanted {
  readonly tenant: string
  /** `artifact://tasks/{task}/step-{n}/{name}` or `artifact://sha256/{hash}`; the scheme may be left out. */
  readonly uri: string
  /** The newest by default. */
  readonly version?: number | undefined
}

/** What is known of an artifact, without its bytes. Rejects with `not-found` where the tenant has none. */
export async function findArtifact({ store }: Pick<ArtifactHost, 'store'>, wanted: ArtifactWanted): Promise<Artifact> {
  const { tenant, uri, version } = wanted
  const named = readArtifactUri(uri)
  const found =
    'path' in named
      ? await store.read('artifacts').get(tenant, named.path, version)
      : await store.read('artifacts').byHash(tenant, named.sha256)
  if (found) return found
  throw noArtifact(
    'path' in named ? `${named.path}${version === undefined ? '' : ` of version ${version}`}` : named.sha256,
  )
}

/** All bytes, or those of a range as far as there are any. Whole artifacts are checked against their hash, ranges are not. */
export async function artifactBytes(
  { blobs }: Pick<ArtifactHost, 'blobs'>,
  { tenant, sha256: hash, path }: Pick<Artifact, 'tenant' | 'sha256' | 'path'>,
  range?: ByteRange,
): Promise<Uint8Array> {
  const bytes = await blobs.get({ tenant: blobOwner(tenant), hash }, range)
  if (bytes) return bytes
  const remedy = 'Check that the gateway has the same place for blobs as before.'
  throw new PrehendError('store-failed', `The bytes of ${path} are gone. ${remedy}`, { remedy })
}

/** An artifact with its bytes, or with those of a range. Rejects with `not-found` where the tenant has none. */
export async function getArtifact(
  host: ArtifactHost,
  wanted: ArtifactWanted & { readonly range?: ByteRange },
): Promise<{ readonly artifact: Artifact; readonly bytes: Uint8Array }> {
  const artifact = await findArtifact(host, wanted)
  return { artifact, bytes: await artifactBytes(host, artifact, wanted.range) }
}

/** By path. Rejects with `invalid-input` where no path can begin so. */
export async function listArtifacts(
  { store }: Pick<ArtifactHost, 'store'>,
  query: ArtifactQuery,
): Promise<readonly Artifact[]> {
  const { prefix = '' } = query
  if (!isArtifactPrefix(prefix))
    throw invalidInput('list', 'is no beginning of a path', 'Write one such as tasks/TASK/, or leave it empty.')
  return store.read('artifacts').list(query)
}
