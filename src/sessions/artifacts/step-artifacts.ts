import { PrehendError, isJsonObject, jsonValue } from '../../core/index.ts'
import type { Item, Manifest } from '../../core/index.ts'
import { contextPackManifest } from '../../compiler/index.ts'
import type { ArtifactHost } from './artifact-host.ts'
import { artifactUri, ownArtifactPath, readArtifactUri } from './artifact-uri.ts'
import { putArtifact } from './put-artifact.ts'
import { findArtifact } from './read-artifacts.ts'

/** Whose artifacts, and of which step. */
export interface StepPlace {
  readonly tenant: string
  readonly taskId: string
  /** `0` where the task has no steps. */
  readonly stepId?: string | undefined
  readonly session?: string | undefined
  readonly requestId?: string | undefined
}

/** So many URIs of one request stand in its spans and its line of the log. */
export const mostTracedUris = 20

/** What stands behind the scheme in another form is a host's own, and may be anything. */
const ownUri = /^artifact:\/\/(?:tasks\/[\w./-]{1,400}|sha256\/[0-9a-f]{64})$/

/** Spans and logs have so many of the URIs, by which they are found again with the id of the pack. */
export function tracedUris(uris: readonly string[]): readonly string[] {
  return [...new Set(uris.filter((uri) => ownUri.test(uri)))].slice(0, mostTracedUris)
}

/** `artifact://tasks/{task}/step-{n}/manifest.json`. Ids that are no names of artifacts are replaced by hashes. */
export function manifestUri(place: Pick<StepPlace, 'taskId' | 'stepId'>): string {
  return uriOf(place, 'manifest.json')
}

/** Stores the manifest of a pack that was made for a step, and gives its URI. It holds no text. */
export async function storeManifest(host: ArtifactHost, place: StepPlace, manifest: Manifest): Promise<string> {
  const createdAt = new Date(host.clock()).toISOString()
  const uri = manifestUri(place)
  const text = JSON.stringify(contextPackManifest(manifest, createdAt))
  await put(host, place, { uri, text, mediaType: 'application/json', class: 'manifest' })
  return uri
}

/** `response.json` for a reply that is a JSON object or list, else `response.md`. */
export function replyUri(place: Pick<StepPlace, 'taskId' | 'stepId'>, text: string): string {
  return uriOf(place, isJson(text) ? 'response.json' : 'response.md')
}

/** Stores what a step has answered, as evidence for the steps behind it, and gives its URI. */
export async function storeReply(host: ArtifactHost, place: StepPlace, text: string): Promise<string> {
  const uri = replyUri(place, text)
  await put(host, place, {
    uri,
    text,
    mediaType: isJson(text) ? 'application/json' : 'text/markdown',
    class: 'evidence',
  })
  return uri
}

/**
 * Rejects with `evidence-missing` where evidence names an artifact that the tenant does not have. Only URIs of the two forms of artifacts are
 * looked up: `artifact://tasks/…` and `artifact://sha256/…`; what else stands behind the scheme is the host's own.
 */
export async function requireEvidence(
  host: Pick<ArtifactHost, 'store'>,
  tenant: string,
  items: readonly Pick<Item, 'section' | 'provenance'>[],
): Promise<void> {
  const asked = new Map<string, number>()
  for (const [index, { section, provenance }] of items.entries()) {
    const { uri = '' } = provenance ?? {}
    if (section === 'evidence' && /^artifact:\/\/(?:tasks|sha256)\//.test(uri) && !asked.has(uri)) asked.set(uri, index)
  }
  await Promise.all(
    [...asked].map(async ([uri, index]) => {
      const field = `items[${index}].provenance.uri`
      readArtifactUri(uri, field)
      await findArtifact(host, { tenant, uri }).catch((error: unknown) => {
        throw error instanceof PrehendError && error.code === 'not-found' ? missing(uri, field) : error
      })
    }),
  )
}

function missing(uri: string, field: string): PrehendError<'evidence-missing'> {
  const remedy = 'Store the artifact first, or leave out the evidence.'
  return new PrehendError('evidence-missing', `${field}: there is no ${uri}. ${remedy}`, { uri, field, remedy })
}

interface StepFile {
  readonly uri: string
  readonly text: string
  readonly mediaType: string
  readonly class: 'evidence' | 'manifest'
}

async function put(host: ArtifactHost, place: StepPlace, { text, ...file }: StepFile): Promise<void> {
  const { tenant, session, requestId } = place
  await putArtifact(host, { tenant, session, requestId, ...file, bytes: new TextEncoder().encode(text) })
}

function uriOf({ taskId, stepId = '0' }: Pick<StepPlace, 'taskId' | 'stepId'>, name: string): string {
  return artifactUri(ownArtifactPath({ task: taskId, step: stepId, name }))
}

function isJson(text: string): boolean {
  const value = jsonValue(text)
  return isJsonObject(value) || Array.isArray(value)
}
