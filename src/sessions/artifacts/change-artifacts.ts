import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Artifact, ArtifactWrite } from '../../stores/index.ts'
import { noArtifact } from './artifact-host.ts'
import type { ArtifactChanger, ArtifactHost } from './artifact-host.ts'
import { artifactUri, readArtifactUri } from './artifact-uri.ts'
import type { ArtifactWanted } from './read-artifacts.ts'

/** An artifact that is changed, and who changes it. */
export interface ArtifactChange extends ArtifactWanted {
  readonly by: ArtifactChanger
}

/** Versions of one path are read so many at a time; a path with more is changed all the same. */
const mostVersions = 1000

/**
 * Removes one version, or all versions of a path; their bytes go with the next sweep. Rejects with `not-found`, and with `conflict` where one
 * of them is on hold. Gives what was removed.
 */
export async function dropArtifact(host: ArtifactHost, asked: ArtifactChange): Promise<readonly Artifact[]> {
  const { path, versions } = await affected(host, asked)
  if (versions.some(({ hold }) => hold)) throw onHold(path)
  const write = { drop: path, ...(asked.version !== undefined && { version: asked.version }) }
  await changed(host, asked, { write, action: 'artifact.drop', path })
  return versions
}

/** Sets or lifts the legal hold of one version, or of all versions of a path. What is on hold is neither removed nor outlived. */
export async function holdArtifact(
  host: ArtifactHost,
  asked: ArtifactChange & { readonly on: boolean },
): Promise<readonly Artifact[]> {
  const { path, versions } = await affected(host, asked)
  const { on, version } = asked
  const write = { hold: path, on, ...(version !== undefined && { version }) }
  await changed(host, asked, { write, action: on ? 'artifact.hold' : 'artifact.release', path })
  return versions.map((one) => ({ ...one, hold: on }))
}

async function affected(
  { store }: ArtifactHost,
  { tenant, uri, version }: ArtifactWanted,
): Promise<{ readonly path: string; readonly versions: readonly Artifact[] }> {
  const named = readArtifactUri(uri)
  if (!('path' in named))
    throw invalidInput('uri', 'is a hash', 'Name the path of the artifact: tasks/TASK/step-N/NAME.')
  const { path } = named
  const found = await store.read('artifacts').list({ tenant, prefix: path, versions: true, limit: mostVersions })
  const versions = found.filter((one) => one.path === path && (version === undefined || one.version === version))
  if (versions.length === 0) throw noArtifact(version === undefined ? path : `${path} of version ${version}`)
  return { path, versions }
}

interface Change {
  readonly write: ArtifactWrite
  readonly action: string
  readonly path: string
}

/** The audit log tells of it in the same unit. */
async function changed(
  { store, clock }: ArtifactHost,
  { tenant, by: { actor, from } }: ArtifactChange,
  { write, action, path }: Change,
): Promise<void> {
  const audited = { table: 'audit', actor, from, action, target: artifactUri(path) } as const
  await store.commit({
    scope: { tenant, session: '' },
    nowMs: clock(),
    writes: [{ table: 'artifacts', ...write }, audited],
  })
}

function onHold(path: string): PrehendError<'conflict'> {
  const remedy = 'Lift the hold first: prehend artifacts hold --off.'
  return new PrehendError('conflict', `${path} is on hold. ${remedy}`, { what: path, remedy })
}
