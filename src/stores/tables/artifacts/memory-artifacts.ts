import { movedOn } from '../../kernel/store.ts'
import type { MemoryPortable, MemoryTable, WritePlace } from '../../kernel/table.ts'
import { artifactCells, artifactColumns, artifactIn } from './artifact-rows.ts'
import type { Artifact, ArtifactQuery, ArtifactTypes, ArtifactWrite } from './artifact.ts'

interface AnnouncedBlob {
  readonly announcedMs: number
  readonly claimed: boolean
}

/** What a tenant has. */
interface Owned {
  /** Versions by path, the oldest first. */
  readonly paths: Map<string, readonly Artifact[]>
  readonly blobs: Map<string, AnnouncedBlob>
}

export function memoryArtifacts(): MemoryTable<ArtifactTypes> {
  const tenants = new Map<string, Owned>()
  const of = (tenant: string): Owned => {
    const owned = tenants.get(tenant) ?? { paths: new Map(), blobs: new Map() }
    tenants.set(tenant, owned)
    return owned
  }
  return {
    check(write, { scope }) {
      if (!fits(write, tenants.get(scope.tenant))) throw movedOn(scope)
    },
    apply(write, at) {
      change(write, of(at.scope.tenant), at)
    },
    reads: {
      get(tenant, path, version) {
        const versions = tenants.get(tenant)?.paths.get(path)
        return version === undefined ? versions?.at(-1) : versions?.find((one) => one.version === version)
      },
      byHash: (tenant, sha256) =>
        allOf(tenants.get(tenant))
          .filter((one) => one.sha256 === sha256)
          .toSorted((one, other) => other.createdMs - one.createdMs)[0],
      list: (query) => listed(tenants.get(query.tenant), query),
      unnamed: (beforeMs, limit) =>
        [...tenants]
          .flatMap(([tenant, owned]) =>
            [...owned.blobs]
              .filter(([hash, { announcedMs }]) => announcedMs < beforeMs && !isNamed(owned, hash))
              .map(([hash]) => ({ tenant, hash })),
          )
          .slice(0, limit),
    },
    portable: portableArtifacts(tenants, of),
    prune({ nowMs, retention: { artifactAgesMs: ages = {} } }) {
      let rows = 0
      for (const { paths } of tenants.values())
        for (const [path, versions] of paths) {
          const kept = versions.filter((one) => {
            const age = ages[one.class]
            return one.hold || age === undefined || one.createdMs >= nowMs - age
          })
          rows += versions.length - kept.length
          keep(paths, path, kept)
        }
      return rows
    },
  }
}

/** Its tenants as rows, and from rows. */
function portableArtifacts(tenants: Map<string, Owned>, of: (tenant: string) => Owned): MemoryPortable {
  return {
    *rows({ tenant: asked }) {
      for (const [tenant, owned] of tenants) {
        if (asked !== undefined && asked !== tenant) continue
        for (const one of allOf(owned)) yield { relation: 'artifacts', cells: artifactCells(one) }
        for (const [hash, { announcedMs, claimed }] of owned.blobs)
          yield { relation: 'artifact_blobs', cells: [tenant, hash, announcedMs, claimed ? 1 : 0] }
      }
    },
    put({ relation, cells }) {
      const { paths, blobs } = of(String(cells[0]))
      if (relation === 'artifact_blobs') {
        const [, hash, announcedMs, claimed] = cells
        return void blobs.set(String(hash), { announcedMs: Number(announcedMs), claimed: claimed === 1 })
      }
      const one = artifactIn(Object.fromEntries(artifactColumns.split(', ').map((name, at) => [name, cells[at]])))
      paths.set(one.path, [...(paths.get(one.path) ?? []), one])
    },
    drop(tenant) {
      const owned = of(tenant)
      tenants.delete(tenant)
      return allOf(owned).length + owned.blobs.size
    },
  }
}

function fits(write: ArtifactWrite, owned: Owned | undefined): boolean {
  if ('blob' in write) return owned?.blobs.get(write.blob)?.claimed !== true
  if ('artifact' in write) {
    const { path, version, sha256 } = write.artifact
    const newest = owned?.paths.get(path)?.at(-1)?.version ?? 0
    return version === newest + 1 && owned?.blobs.get(sha256)?.claimed === false
  }
  if (!('sweep' in write)) return true
  const blob = owned?.blobs.get(write.sweep)
  return blob !== undefined && blob.announcedMs < write.beforeMs && owned !== undefined && !isNamed(owned, write.sweep)
}

function change(write: ArtifactWrite, { paths, blobs }: Owned, { scope, nowMs }: WritePlace): void {
  if ('blob' in write) blobs.set(write.blob, { announcedMs: nowMs, claimed: false })
  else if ('artifact' in write) {
    const { tenant } = scope
    const { artifact } = write
    const added = { ...artifact, tenant, createdMs: nowMs, hold: false }
    paths.set(artifact.path, [...(paths.get(artifact.path) ?? []), added])
  } else if ('drop' in write) {
    const versions = paths.get(write.drop) ?? []
    const { version: only } = write
    keep(
      paths,
      write.drop,
      versions.filter(({ version, hold }) => hold || (only !== undefined && version !== only)),
    )
  } else if ('hold' in write) {
    const { hold: path, on, version } = write
    const versions = (paths.get(path) ?? []).map((one) =>
      version === undefined || one.version === version ? { ...one, hold: on } : one,
    )
    keep(paths, path, versions)
  } else if ('sweep' in write) {
    const blob = blobs.get(write.sweep)
    if (blob) blobs.set(write.sweep, { ...blob, claimed: true })
  } else if (blobs.get(write.swept)?.claimed) blobs.delete(write.swept)
}

function keep(paths: Owned['paths'], path: string, versions: readonly Artifact[]): void {
  if (versions.length === 0) paths.delete(path)
  else paths.set(path, versions)
}

function allOf(owned: Owned | undefined): readonly Artifact[] {
  return [...(owned?.paths.values() ?? [])].flat()
}

function isNamed(owned: Owned, hash: string): boolean {
  return allOf(owned).some(({ sha256 }) => sha256 === hash)
}

function listed(owned: Owned | undefined, query: ArtifactQuery): readonly Artifact[] {
  const { prefix = '', versions = false, limit, after } = query
  const isBehind = ({ path, version }: Artifact): boolean =>
    after === undefined || path > after.path || (versions && path === after.path && version < after.version)
  return [...(owned?.paths ?? [])]
    .filter(([path]) => path.startsWith(prefix))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, all]) => (versions ? all.toReversed() : all.slice(-1)))
    .filter(isBehind)
    .slice(0, limit)
}
