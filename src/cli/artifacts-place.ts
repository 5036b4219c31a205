import { invalidInput } from '../core/index.ts'
import type { ShownArtifact } from '../gateway/index.ts'
import type { ArtifactHost } from '../sessions/index.ts'
import type { ArtifactClass } from '../stores/index.ts'
import { blobsSettings } from './blobs-settings.ts'
import { askGateway, askGatewayPlainly } from './gateway-request.ts'
import type { GatewayAddress } from './gateway-request.ts'
import { localActor } from './keys-place.ts'
import type { PlaceGiven } from './keys-place.ts'
import { blobsFolder, openStoreThere } from './store-place.ts'
import type { Io } from './io.ts'

export interface ArtifactToPut {
  readonly uri: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mediaType: string
  readonly class?: ArtifactClass | undefined
  readonly onlyNew: boolean
}

export interface VersionOf {
  readonly uri: string
  readonly version?: number | undefined
}

export interface ArtifactList {
  readonly prefix: string
  readonly versions: boolean
  readonly limit: number
}

/** The bytes of an artifact, and what comes with them. */
export interface GotArtifact extends Pick<ShownArtifact, 'uri' | 'version' | 'sha256' | 'mediaType'> {
  readonly bytes: Uint8Array
}

/** What a change concerned. */
export interface ChangedVersions {
  readonly uri: string
  readonly versions: number
}

/** Where artifacts are: a gateway that runs, or a store and its blobs. */
export interface ArtifactsPlace {
  put(asked: ArtifactToPut): Promise<ShownArtifact>
  get(asked: VersionOf): Promise<GotArtifact>
  list(asked: ArtifactList): Promise<readonly ShownArtifact[]>
  drop(asked: VersionOf): Promise<ChangedVersions>
  hold(asked: VersionOf, on: boolean): Promise<ChangedVersions>
}

export interface ArtifactsGiven extends PlaceGiven {
  readonly blobs?: string
}

/** Opens a place of artifacts for as long as `work` takes. */
export async function withArtifacts<Result>(
  given: ArtifactsGiven,
  io: Io,
  work: (artifacts: ArtifactsPlace) => Promise<Result>,
): Promise<Result> {
  const { url, token, tenant } = given
  if (url !== undefined) {
    if (tenant === undefined) return work(artifactsOfGateway({ url, token }))
    throw invalidInput('--tenant', 'is not for --url', 'Leave it out: the token says whose artifacts they are.')
  }
  const store = await openStoreThere(given, io)
  try {
    const { openBlobs, parseConfig } = await import('../gateway/index.ts')
    const said = given.blobs ?? blobsFolder(given, io.environment)
    const config = parseConfig(blobsSettings({ said, file: {}, path: undefined }, io.environment))
    const { blobs } = await openBlobs(config, { store })
    return await work(await artifactsOfStore({ store, blobs, clock: Date.now }, tenant ?? 'default', io))
  } finally {
    await store.close()
  }
}

async function artifactsOfStore(host: ArtifactHost, tenant: string, io: Io): Promise<ArtifactsPlace> {
  const sessions = await import('../sessions/index.ts')
  const { shownArtifact } = await import('../gateway/index.ts')
  const by = { actor: localActor(io), from: 'local' }
  const told = (asked: VersionOf, versions: readonly object[]): ChangedVersions => ({
    uri: asked.uri,
    versions: versions.length,
  })
  return {
    put: async (asked) => shownArtifact(await sessions.putArtifact(host, { ...asked, tenant })),
    async get(asked) {
      const { artifact, bytes } = await sessions.getArtifact(host, { ...asked, tenant })
      const { uri, version, sha256, mediaType } = shownArtifact(artifact)
      return { uri, version, sha256, mediaType, bytes }
    },
    list: async (asked) => (await sessions.listArtifacts(host, { ...asked, tenant })).map(shownArtifact),
    drop: async (asked) => told(asked, await sessions.dropArtifact(host, { ...asked, tenant, by })),
    hold: async (asked, on) => told(asked, await sessions.holdArtifact(host, { ...asked, tenant, by, on })),
  }
}

function artifactsOfGateway(at: GatewayAddress): ArtifactsPlace {
  const pathOf = ({ uri, version }: VersionOf): string => {
    const path = uri.replace(/^artifact:\/\//, '').split('/')
    return `/v1/artifacts/${path.map(encodeURIComponent).join('/')}${version === undefined ? '' : `?version=${version}`}`
  }
  return {
    async put({ uri, bytes, mediaType, class: of, onlyNew }) {
      const headers = { 'content-type': mediaType, ...(onlyNew && { 'if-none-match': '*' }) }
      const path = `${pathOf({ uri })}${of === undefined ? '' : `?class=${of}`}`
      const answer = await askGatewayPlainly(at, { method: 'PUT', path, headers, body: bytes })
      return (await answer.json()) as ShownArtifact
    },
    async get(asked) {
      const answer = await askGatewayPlainly(at, { method: 'GET', path: pathOf(asked) })
      const { headers } = answer
      return {
        uri: asked.uri,
        version: Number(headers.get('x-prehend-artifact-version')),
        sha256: (headers.get('etag') ?? '').replaceAll('"', ''),
        mediaType: headers.get('content-type') ?? '',
        bytes: new Uint8Array(await answer.arrayBuffer()),
      }
    },
    async list({ prefix, versions, limit }) {
      const query = new URLSearchParams({ list: prefix, versions: String(versions), limit: String(limit) })
      const { data } = (await askGateway(at, { path: `/v1/artifacts?${query.toString()}` })) as ArtifactPage
      return data
    },
    drop: async (asked) => (await askGateway(at, { method: 'DELETE', path: pathOf(asked) })) as ChangedVersions,
    async hold({ uri, version }, on) {
      const body = { on, ...(version !== undefined && { version }) }
      return (await askGateway(at, { method: 'POST', path: `${pathOf({ uri })}/hold`, body })) as ChangedVersions
    },
  }
}

interface ArtifactPage {
  readonly data: readonly ShownArtifact[]
}
