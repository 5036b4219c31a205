import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { GatewayConfig } from '../config.ts'

/** What a browser may be told of an answer. */
export interface Admission {
  /** The foreign page that asks, where the configuration lets it. */
  readonly page?: string
}

/** Keeps out what a web page could send in the name of whoever browses there. Throws `forbidden`. */
export type Guard = (headers: IncomingHttpHeaders) => Admission

const ownPage: Admission = {}

/**
 * A page reaches loopback with requests of its own (they carry its `Origin`, or say `Sec-Fetch-Site: cross-site`), and under a
 * name of its own that it has pointed here (that name is the `Host`). A token, which no page knows, makes the name harmless.
 */
export function guardOf({ tokens, host, allowedHosts, allowedOrigins }: GatewayConfig): Guard {
  const names = new Set(['localhost', '[::1]', host.toLowerCase(), ...allowedHosts])
  const origins = new Set(allowedOrigins)
  /** The name by which the last request asked that was let in. */
  let lastHost: string | undefined
  return (headers) => {
    // Only HTTP/1.0 may leave the name out, and no browser speaks it.
    if (tokens.length === 0 && headers.host !== undefined && headers.host !== lastHost) {
      requireKnownHost(headers.host, names)
      lastHost = headers.host
    }
    const origin = headers.origin?.toLowerCase()
    if (origin !== undefined && origins.has(origin)) return { page: origin }
    if (origin === 'null') throw nameless()
    if (origin !== undefined && !isOwn(origin, headers.host)) throw foreign(`Pages of ${quoted(origin)}`, origin)
    if (headers['sec-fetch-site'] === 'cross-site') throw foreign('Pages of other sites', 'https://app.example')
    return ownPage
  }
}

function requireKnownHost(asked: string, names: ReadonlySet<string>): void {
  const name = asked.toLowerCase().replace(/:\d*$/, '')
  if (names.has(name) || (isIP(name) === 4 && name.startsWith('127.'))) return
  const remedy = `Ask for localhost or 127.0.0.1; or allow the name with --allow-host (allowedHosts), or set a token.`
  throw new PrehendError('forbidden', `This gateway is not known as ${quoted(asked)}. ${remedy}`, { remedy })
}

/** Whether a page has come from this very gateway, whatever stands in front of it. */
function isOwn(origin: string, host: string | undefined): boolean {
  return /^https?:\/\/(.*)$/.exec(origin)?.[1] === host?.toLowerCase()
}

function foreign(who: string, origin: string): PrehendError {
  const remedy = `Allow them with --allow-origin ${quoted(origin)} (allowedOrigins).`
  return new PrehendError('forbidden', `${who} may not use this gateway. ${remedy}`, { remedy })
}

/** A page of a file, of a sandboxed frame or after a redirect: any site can make one, so nobody can allow it. */
function nameless(): PrehendError {
  const remedy = 'Serve the page from an address of its own and allow that with --allow-origin (allowedOrigins).'
  return new PrehendError('forbidden', `Pages without an origin (Origin: null) may not use this gateway. ${remedy}`, {
    remedy,
  })
}

/** What a client says, as far as it is worth repeating. */
function quoted(text: string): string {
  return text.slice(0, 100)
}

/**
 * Throws where a body says that it is something other than JSON: forms and plain text are all that a page may send unasked
 * to where it does not belong. A body that says nothing passes; no browser sends one without `Origin`.
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']
  if (type === undefined || !hasBody(headers) || /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return
  throw invalidInput('content-type', `${quoted(type)} is not JSON`, 'Send "content-type: application/json".')
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
