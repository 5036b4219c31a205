import { isJsonObject } from '../../core/index.ts'
import { base64OfBytes } from '../../host/index.ts'
import type { GatewayDoor } from './gateway-door.ts'
import { page, readLines } from './page.ts'

/** Resources of one page of a list. */
const mostListed = 100
/** Bytes that are no text. */
const mostBlobBytes = 262_144

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

export const resourceTemplates = [
  {
    uriTemplate: 'artifact://tasks/{task}/{step}/{name}',
    name: 'artifact',
    description: 'An artifact. `?lines=10-40` reads a part of a text.',
  },
  {
    uriTemplate: 'prehend://sessions/{id}/outline',
    name: 'session outline',
    description: 'What a session comes to, and where each of its requests stands.',
    mimeType: 'application/json',
  },
]

/** Artifacts of the tenant, and the outline of the session where one is known. */
export async function listResources(
  door: GatewayDoor,
  {
    session,
    cursor,
    signal,
  }: { readonly session: string | undefined; readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<{ readonly resources: readonly Resource[]; readonly nextCursor?: string }> {
  const asked = new URLSearchParams({ limit: String(mostListed), ...(cursor !== undefined && { cursor }) })
  const listed = await door.ask(`/v1/artifacts?${asked.toString()}`, signal)
  const { data, next } = 'value' in listed ? listed.value : {}
  const artifacts = (Array.isArray(data) ? data : []).flatMap((one): readonly Resource[] =>
    isJsonObject(one)
      ? [{ uri: String(one['uri']), name: String(one['uri']), mimeType: String(one['mediaType']) }]
      : [],
  )
  const isFirst = cursor === undefined && session !== undefined
  const outline = { uri: outlineUri(session ?? ''), name: 'session outline', mimeType: 'application/json' }
  return {
    resources: isFirst ? [outline, ...artifacts] : artifacts,
    ...(typeof next === 'string' && { nextCursor: next }),
  }
}

function outlineUri(session: string): string {
  return `prehend://sessions/${encodeURIComponent(session)}/outline`
}

export type ResourceContent =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string }

/** What a resource holds; undefined where there is none of this address. */
export async function readResource(
  door: GatewayDoor,
  uri: string,
  signal: AbortSignal,
): Promise<ResourceContent | undefined> {
  const [place = '', query = ''] = uri.split('?', 2)
  const lines = readLines(new URLSearchParams(query).get('lines'))
  const more = (next: string): string => `Go on with ${place}?lines=${next}`
  const [, session] = /^prehend:\/\/sessions\/([^/]+)\/outline$/.exec(place) ?? []
  if (session !== undefined) {
    const outline = await door.ask(`/v1/sessions/${session}/outline`, signal)
    if ('refused' in outline) return undefined
    const text = JSON.stringify(outline.value, undefined, 1)
    return { uri, mimeType: 'application/json', text: page(text, lines, more) }
  }
  const path = /^artifact:\/\/([\w.-]+(?:\/[\w.-]+)*)$/.exec(place)?.[1]
  const found = path === undefined ? undefined : await door.bytes(`/v1/artifacts/${path}`, signal)
  if (found === undefined) return undefined
  const text = textIn(found.bytes)
  if (text !== undefined) return { uri, mimeType: found.type, text: page(text, lines, more) }
  if (found.bytes.length <= mostBlobBytes) return { uri, mimeType: found.type, blob: base64OfBytes(found.bytes) }
  return { uri, mimeType: 'text/plain', text: `[${found.bytes.length} bytes of ${found.type}, which are too many.]` }
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
