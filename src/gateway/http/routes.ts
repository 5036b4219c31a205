import type { IncomingMessage } from 'node:http'
import { dialects } from '../../codecs/index.ts'
import type { DialectTable } from '../../codecs/index.ts'
import type { Dialect, WireHeaders } from '../../core/index.ts'
import { isOwnPath } from '../api/own-paths.ts'
import { forwardablePath } from './forwardable-path.ts'
import type { ProviderRoute } from './provider-route.ts'
import { wireHeaders } from './wire-headers.ts'

export type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/**
 * The route of a request that a provider answers; undefined for those that we answer ourselves, and for what nobody answers.
 * Throws where a target is none.
 */
export function providerRoute(
  { method = 'GET', url = '/', headers }: Asked,
  table = dialects,
): ProviderRoute | undefined {
  const target = isOurs(url) ? url : forwardablePath(url)
  const cut = target.indexOf('?')
  const path = cut < 0 ? target : target.slice(0, cut)
  const query = cut < 0 ? '' : target.slice(cut)
  const wire = wireHeaders(headers)
  const exact = table.route(method, path, wire)
  if (exact) return { ...exact, path: target }
  const meant = meantPath(path)
  const route = isOwnPath(path) ? undefined : table.route(method, meant, wire)
  return route ? { ...route, path: meant + query } : forwarded({ path, query, headers: wire }, table)
}

/** What never goes on to a provider may hold names that look like a climb, such as a session's; a climb itself it may not be. */
function isOurs(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return isOwnPath(path) && !/\/\.\.?(?:\/|$)/.test(path)
}

/** The dialect that a request speaks, by its path or its headers, whether there is such a route or not. */
export function dialectOf({ url = '/', headers }: Asked, table = dialects): Dialect {
  return table.detect({ path: meantPath(url.split('?', 1)[0] ?? ''), headers: wireHeaders(headers) })
}

/** A path as the dialects write it: with the version once, and without a slash at its end. */
function meantPath(path: string): string {
  const trimmed = path.replace(/\/+$/, '').replace(/^(?:\/v1)+(?=\/|$)/, '/v1')
  return /^\/v\d/.test(trimmed) ? trimmed : `/v1${trimmed}`
}

interface Unknown {
  readonly path: string
  readonly query: string
  readonly headers: WireHeaders
}

/** What lies where providers have their routes goes on to the one whose dialect path or headers speak. */
function forwarded({ path, query, headers }: Unknown, table: DialectTable): ProviderRoute | undefined {
  const once = path.replace(/^(?:\/v1)+(?=\/)/, '/v1')
  if (isOwnPath(once) || !/^\/v1(?:alpha|beta)?\/[^/]/.test(once)) return undefined
  const codec = table.for(table.detect({ path: once, headers }))
  return { kind: 'forward', codec, path: once + query }
}
