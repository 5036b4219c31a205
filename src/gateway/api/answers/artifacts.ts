import { z } from 'zod'
import {
  artifactUri,
  dropArtifact,
  findArtifact,
  holdArtifact,
  listArtifacts,
  putArtifact,
} from '../../../sessions/index.ts'
import type { ArtifactChanger, ArtifactHost } from '../../../sessions/index.ts'
import type { Artifact } from '../../../stores/index.ts'
import type { ServingParts } from '../../parts.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type {
  artifactsQuery,
  dropOneArtifact,
  dropQuery,
  holdOneArtifact,
  listAllArtifacts,
  putQuery,
  versionQuery,
} from '../routes/artifact-routes.ts'
import type { hold } from '../schemas/artifacts.ts'
import type { Served } from '../serve-route.ts'
import { artifactStream, wantedBytes } from './artifact-bytes.ts'
import { shownArtifact } from './shown-artifact.ts'
import type { ShownArtifact } from './shown-artifact.ts'

type ArtifactParts = Pick<ServingParts, 'store' | 'clock' | 'blobs'>
type AnswerOf<Of extends { readonly answer?: z.ZodType }> = Answered<z.output<NonNullable<Of['answer']>>>

export async function answerPut(
  parts: ArtifactParts,
  { tenant, params, query }: Asked<typeof putQuery>,
  { c, bytes }: { readonly c: Served; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<ShownArtifact> {
  const stored = await putArtifact(hostOf(parts), {
    tenant,
    uri: pathIn(params),
    bytes,
    mediaType: c.req.header('content-type'),
    class: query.class,
    session: query.session,
    requestId: query.request,
    onlyNew: c.req.header('if-none-match')?.trim() === '*',
  })
  c.header('etag', etagOf(stored))
  return shownArtifact(stored)
}

export async function answerArtifact(
  parts: ArtifactParts,
  asked: Asked<typeof versionQuery>,
  c: Served,
): Promise<Response> {
  const { tenant, params, query } = asked
  return bytesOf(parts, await findArtifact(parts, { tenant, uri: pathIn(params), version: query.version }), c)
}

export async function answerArtifactByHash(
  parts: ArtifactParts,
  { tenant, params: { hash = '' } }: Asked,
  c: Served,
): Promise<Response> {
  return bytesOf(parts, await findArtifact(parts, { tenant, uri: `sha256/${hash}` }), c)
}

export async function answerDrop(
  parts: ArtifactParts,
  asked: Asked<typeof dropQuery>,
): Promise<AnswerOf<typeof dropOneArtifact>> {
  const { tenant, params, query } = asked
  const uri = pathIn(params)
  const dropped = await dropArtifact(hostOf(parts), { tenant, uri, version: query.version, by: byOf(asked) })
  return { uri: artifactUri(uri), versions: dropped.length }
}

export async function answerHold(
  parts: ArtifactParts,
  asked: Asked<z.ZodObject, typeof hold>,
): Promise<AnswerOf<typeof holdOneArtifact>> {
  const { tenant, params, body } = asked
  const uri = pathIn(params)
  const held = await holdArtifact(hostOf(parts), { tenant, uri, ...body, by: byOf(asked) })
  return { uri: artifactUri(uri), versions: held.length, hold: body.on }
}

const artifactPlace = z.strictObject({ path: z.string(), version: z.number() })

export async function answerArtifacts(
  parts: ArtifactParts,
  { tenant, query: { list: prefix, versions, limit, cursor } }: Asked<typeof artifactsQuery>,
): Promise<AnswerOf<typeof listAllArtifacts>> {
  const after = placeOf(artifactPlace, cursor)
  const found = await listArtifacts(parts, { tenant, prefix, versions, limit: limit + 1, ...(after && { after }) })
  const { data, next } = pageOf(found, limit, ({ path, version }) => ({ path, version }))
  return { object: 'list', data: data.map(shownArtifact), next }
}

function hostOf({ store, clock, blobs }: ArtifactParts): ArtifactHost {
  return { store, clock, blobs }
}

function byOf({ asker: { keyId: actor, from } }: Pick<Asked, 'asker'>): ArtifactChanger {
  return { actor, from }
}

function pathIn({ task = '', step = '', name = '' }: Asked['params']): string {
  return `tasks/${task}/${step}/${name}`
}

function etagOf({ sha256 }: Artifact): string {
  return `"${sha256}"`
}

/** What no browser runs. Everything else is for saving. */
const shownTypes = /^(?:text\/(?:plain|markdown|csv)|application\/json|image\/(?:png|jpeg|gif|webp))(?: ?;|$)/i

function bytesOf({ blobs }: ArtifactParts, artifact: Artifact, c: Served): Response {
  const { sizeBytes, mediaType, path, version, createdMs } = artifact
  const etag = etagOf(artifact)
  const headers = {
    'etag': etag,
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
    'last-modified': new Date(createdMs).toUTCString(),
    'x-prehend-artifact-version': String(version),
  }
  if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  const isSame = (c.req.header('if-range') ?? etag) === etag
  const wanted = isSame ? wantedBytes(c.req.header('range'), sizeBytes) : 'all'
  if (wanted === 'none') return c.body(null, 416, { ...headers, 'content-range': `bytes */${sizeBytes}` })
  const range = wanted === 'all' ? { start: 0, end: sizeBytes } : wanted
  const name = path.split('/').at(-1) ?? ''
  const content = {
    'content-type': mediaType,
    'content-length': String(range.end - range.start),
    ...(wanted !== 'all' && { 'content-range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` }),
    ...(!shownTypes.test(mediaType) && { 'content-disposition': `attachment; filename="${name}"` }),
  }
  const told = { ...headers, ...content }
  const status = wanted === 'all' ? 200 : 206
  if (c.req.raw.method === 'HEAD' || sizeBytes === 0) return c.body(null, status, told)
  return c.body(artifactStream({ blobs }, artifact, range), status, told)
}

function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
