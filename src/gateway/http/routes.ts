import type { IncomingMessage } from 'node:http'
import { dialects } from '../../codecs/index.ts'
import type { ProviderRoute } from './open-exchange.ts'
import { wireHeaders } from './wire-headers.ts'

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** The route of a request that a provider answers; undefined for those that we answer ourselves. */
export function providerRoute(
  { method = 'GET', url = '/', headers }: Asked,
  table = dialects,
): ProviderRoute | undefined {
  const query = url.indexOf('?')
  return table.route(method, query < 0 ? url : url.slice(0, query), wireHeaders(headers))
}
