import { connectionOptions, framingHeaders, hopByHopHeaders } from '../../providers/index.ts'
import type { UpstreamReply } from '../../providers/index.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers of one connection. */
const ownToConnection = [...hopByHopHeaders, ...framingHeaders]

/** Meant for this gateway, or telling the provider more of the client than it needs to know. */
const notForwarded = new Set([
  ...ownToConnection,
  'accept-encoding',
  'cookie',
  'forwarded',
  'origin',
  'referer',
  'via',
  'x-real-ip',
  'x-request-id',
])

/** Keys, and the account or project that a key's request is charged to. */
const credentials = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
])

const notReturned = new Set([...ownToConnection, 'content-encoding', 'set-cookie'])

/** Who may read an answer in a browser is decided here. */
const ofBrowsers = 'access-control-'

/**
 * The client's headers as the provider gets them; its credentials only where they are the provider's. `x-session-id` and
 * `x-session-affinity` are a client's word to its provider, which keeps a session on the machine that has its cache: we
 * read them, and they go on.
 */
export function requestHeaders(headers: IncomingHttpHeaders, keepCredentials: boolean): Record<string, string> {
  const kept: Record<string, string> = {}
  const ofConnection = connectionOptions(headers.connection)
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notForwarded.has(name) || isOurs(name) || ofConnection.includes(name)) continue
    if (credentials.has(name) && !keepCredentials) continue
    kept[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return kept
}

/** The provider's headers as the client gets them. */
export function responseHeaders(headers: UpstreamReply['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase()
    if (!notReturned.has(name) && !name.startsWith(ofBrowsers))
      kept[name] = typeof value === 'string' ? value : [...value]
  }
  return kept
}

function isOurs(name: string): boolean {
  return name.startsWith('x-prehend-') || name.startsWith('x-bardo-') || name.startsWith('x-forwarded-')
}
