import { credentialHeaders } from '../access/dropped-headers.ts'
import { connectionOptions, framingHeaders, hopByHopHeaders } from '../../providers/index.ts'
import type { UpstreamReply } from '../../providers/index.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers of one connection. */
const ownToConnection = [...hopByHopHeaders, ...framingHeaders]

/** Never forwarded, whatever a configuration says. */
const notForwarded = new Set([...ownToConnection, 'accept-encoding'])

const notReturned = new Set([...ownToConnection, 'content-encoding', 'set-cookie'])

/** Who may read an answer in a browser is decided here. */
const ofBrowsers = 'access-control-'

export interface HeaderRules {
  /** Whether the client's credentials are for this provider. */
  readonly keepCredentials: boolean
  /** Whether the configuration keeps a header, by its name in lower case, from providers. */
  readonly isDropped: (name: string) => boolean
}

/**
 * The client's headers as the provider gets them, without those that the configuration drops; its credentials only where they are the
 * provider's. `x-session-id` and
 * `x-session-affinity` are a client's word to its provider, which keeps a session on the machine that has its cache: we
 * read them, and they go on.
 */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  { keepCredentials, isDropped }: HeaderRules,
): Record<string, string> {
  const kept: Record<string, string> = {}
  const ofConnection = connectionOptions(headers.connection)
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notForwarded.has(name) || isOurs(name) || ofConnection.includes(name)) continue
    if (credentialHeaders.has(name) ? !keepCredentials : isDropped(name)) continue
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
  return name.startsWith('x-prehend-') || name.startsWith('x-bardo-')
}
