import { isJsonObject, jsonValue } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import type { Original } from '../../stores/index.ts'
import type { ArtifactHost } from './artifact-host.ts'
import { artifactUri, ownArtifactPath } from './artifact-uri.ts'
import { putArtifact } from './put-artifact.ts'
import { findArtifact } from './read-artifacts.ts'

/** Whose items, and of which request. */
export interface ItemsPlace {
  readonly tenant: string
  readonly session: string
  readonly requestId: string
  readonly taskId?: string | undefined
  readonly stepId?: string | undefined
}

/**
 * Stores the items that a request shows as extracts with a URI: those of its new originals whose hash the manifest names. The same
 * bytes are stored once per tenant.
 */
export async function storeItemArtifacts(
  host: ArtifactHost,
  place: ItemsPlace,
  { originals, uris }: { readonly originals: readonly Original[]; readonly uris: readonly string[] },
): Promise<void> {
  const hashes = new Set(uris.flatMap((uri) => (uri.startsWith(byHash) ? [uri.slice(byHash.length)] : [])))
  if (hashes.size === 0) return
  for (const { text, kind } of originals) {
    const hash = sha256(text)
    if (hashes.delete(hash)) await storeText(host, place, { text, kind, hash })
  }
}

const byHash = 'artifact://sha256/'

interface StoredText {
  readonly text: string
  readonly kind: string | undefined
  readonly hash: string
}

async function storeText(
  host: ArtifactHost,
  { tenant, session, requestId, taskId = session, stepId = '0' }: ItemsPlace,
  { text, kind, hash }: StoredText,
): Promise<void> {
  const isThere = await findArtifact(host, { tenant, uri: byHash + hash }).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const isJson = isJsonObject(jsonValue(text))
  const name = `${kind ?? 'text'}-${hash.slice(0, 16)}.${isJson ? 'json' : 'txt'}`
  await putArtifact(host, {
    tenant,
    session,
    requestId,
    uri: artifactUri(ownArtifactPath({ task: taskId, step: stepId, name })),
    bytes: new TextEncoder().encode(text),
    mediaType: isJson ? 'application/json' : 'text/plain; charset=utf-8',
    class: kind === 'evidence' ? 'evidence' : 'raw',
  })
}
