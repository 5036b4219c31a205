export const artifactClasses = ['evidence', 'manifest', 'raw'] as const
/** Classes of artifacts, each of which has its own retention window. */
export type ArtifactClass = (typeof artifactClasses)[number]

/** One version of an artifact: a name for bytes that lie in `Blobs` under their hash. */
export interface Artifact {
  readonly tenant: string
  /** `tasks/{task}/step-{n}/{name}`: the URI without its scheme. */
  readonly path: string
  /** Counts the versions of the path, from 1. */
  readonly version: number
  /** SHA-256 of the bytes, in lower-case hexadecimal digits. */
  readonly sha256: string
  readonly sizeBytes: number
  readonly mediaType: string
  /** Milliseconds since the epoch. */
  readonly createdMs: number
  readonly class: ArtifactClass
  /** Legal hold: it is neither removed nor swept. */
  readonly hold: boolean
  readonly session?: string
  readonly requestId?: string
}

/** A version as it is written; it gets the time of its unit. */
export type NewArtifact = Omit<Artifact, 'tenant' | 'createdMs' | 'hold'>

/**
 * Writes of the unit's tenant.
 * - `blob`: announces bytes that are about to be put. A conflict while a sweep drops them.
 * - `artifact`: adds a version. A conflict unless it follows the newest one, and unless its bytes were announced.
 * - `drop`: removes a version, or all versions of the path; those on hold stay.
 * - `hold`: sets or lifts the legal hold of a version, or of all versions of the path.
 * - `sweep`: claims bytes that nothing names and that were announced before `beforeMs`; else a conflict. They stay claimed until `swept`.
 * - `swept`: forgets claimed bytes, which are gone.
 */
export type ArtifactWrite =
  | { readonly blob: string }
  | { readonly artifact: NewArtifact }
  | { readonly drop: string; readonly version?: number }
  | { readonly hold: string; readonly on: boolean; readonly version?: number }
  | { readonly sweep: string; readonly beforeMs: number }
  | { readonly swept: string }

/** Where a list of artifacts goes on: behind this version. */
export interface ArtifactPlace {
  readonly path: string
  readonly version: number
}

/** A list of artifacts of a tenant, page by page. */
export interface ArtifactQuery {
  readonly tenant: string
  /** What the paths begin with; all of them by default. */
  readonly prefix?: string
  /** All versions of each path. The newest alone by default. */
  readonly versions?: boolean
  readonly limit: number
  readonly after?: ArtifactPlace
}

/** Bytes that nothing names. */
export interface UnnamedBlob {
  readonly tenant: string
  readonly hash: string
}

export interface ArtifactReads {
  /** The newest version by default. */
  get(tenant: string, path: string, version?: number): Artifact | undefined
  /** The newest artifact that has these bytes. */
  byHash(tenant: string, sha256: string): Artifact | undefined
  /** By path, and the newest version of each first. */
  list(query: ArtifactQuery): readonly Artifact[]
  /** Bytes of all tenants that nothing names and that were announced before then, claimed ones included. */
  unnamed(beforeMs: number, limit: number): readonly UnnamedBlob[]
}

export interface ArtifactTypes {
  readonly write: ArtifactWrite
  readonly reads: ArtifactReads
}
