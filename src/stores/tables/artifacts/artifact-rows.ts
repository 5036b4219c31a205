import type { PortableCell } from '../../kernel/portable.ts'
import type { Row } from '../../kernel/table.ts'
import { artifactClasses } from './artifact.ts'
import type { Artifact, ArtifactWrite } from './artifact.ts'

export const artifactColumns =
  'tenant, path, version, sha256, size_bytes, media_type, created_ms, class, hold, session, request_id'

/** What a write does, and what it needs for that; a version that is left out is null. */
export function artifactRow(write: ArtifactWrite): Row {
  if ('blob' in write) return ['blob', write.blob]
  if ('sweep' in write) return ['sweep', write.sweep, write.beforeMs]
  if ('swept' in write) return ['swept', write.swept]
  if ('drop' in write) return ['drop', write.drop, write.version ?? null]
  if ('hold' in write) return ['hold', write.hold, write.version ?? null, write.on ? 1 : 0]
  const { path, version, sha256, sizeBytes, mediaType, class: kind, session = null, requestId = null } = write.artifact
  return ['artifact', path, version, sha256, sizeBytes, mediaType, kind, session, requestId]
}

/** The cells of a version, in the order of its columns. */
export function artifactCells(artifact: Artifact): readonly PortableCell[] {
  const { tenant, path, version, sha256, sizeBytes, mediaType, createdMs, hold, session, requestId } = artifact
  const { class: kind } = artifact
  const own = [tenant, path, version, sha256, sizeBytes, mediaType, createdMs, kind]
  return [...own, hold ? 1 : 0, session ?? null, requestId ?? null]
}

/** A version, by the names of its columns. */
export function artifactIn(row: Readonly<Record<string, unknown>>): Artifact {
  const { session, request_id: requestId } = row
  return {
    tenant: String(row['tenant']),
    path: String(row['path']),
    version: Number(row['version']),
    sha256: String(row['sha256']),
    sizeBytes: Number(row['size_bytes']),
    mediaType: String(row['media_type']),
    createdMs: Number(row['created_ms']),
    class: artifactClasses.find((one) => one === row['class']) ?? 'evidence',
    hold: Number(row['hold']) === 1,
    ...(typeof session === 'string' && { session }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

/** What follows every path with a prefix: all characters of paths stand before `~`. */
export function afterPrefix(prefix: string): string {
  return `${prefix}~`
}
