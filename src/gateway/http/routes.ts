import type { IncomingMessage } from 'node:http'
import { dialects } from '../../codecs/index.ts'
import type { Dialect } from '../../core/index.ts'
import type { ProviderRoute } from './open-exchange.ts'
import { wireHeaders } from './wire-headers.ts'

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** The dialect that a request speaks, by its path or its headers, whether there is such a route or not. */
export function dialectOf({ url = '/', headers }: Asked): Dialect {
  return dialects.detect({ path: url, headers: wireHeaders(headers) })
}

/** The route of a request that a provider answers; undefined for those that we answer ourselves. */
export function providerRoute(
  { method = 'GET', url = '/', headers }: Asked,
  table = dialects,
): ProviderRoute | undefined {
  const query = url.indexOf('?')
  return table.route(method, query < 0 ? url : url.slice(0, query), wireHeaders(headers))
}
