import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Codec } from '../../codecs/index.ts'
import type { GatewayConfig } from '../config.ts'
import { keyHeaders } from '../access/key-headers.ts'
import { holdsSecret } from '../keys/key-secret.ts'
import { dialectOf } from './routes.ts'

/** The header in which Google's clients send a key that may stand in the query as well. */
const ofGoogle = 'x-goog-api-key'
/** A key that stood in the query beside one in the header. Our own, so that it never goes on. */
export const queryKeyHeader = 'x-prehend-query-key'

/** Headers that hold a key, be it a token of ours or the client's own. */
const places = ['authorization', 'x-api-key', ofGoogle, 'api-key', queryKeyHeader] as const

/** Moves the key that Google's REST clients write into the query to where it is read, so that it stands in no log. */
export function moveQueryKey(request: IncomingMessage): void {
  const { url = '/', headers } = request
  if (!/[?&]key=/.test(url) || dialectOf(request) !== 'gemini') return
  const cut = url.indexOf('?')
  const isKey = (part: string): boolean => part.startsWith('key=')
  const parts = url.slice(cut + 1).split('&')
  const key = decoded(parts.find(isKey)?.slice('key='.length) ?? '')
  const rest = parts.filter((part) => !isKey(part)).join('&')
  request.url = url.slice(0, cut) + (rest === '' ? '' : `?${rest}`)
  if (key !== '') headers[headers[ofGoogle] === undefined ? ofGoogle : queryKeyHeader] = key
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The headers of a request without tokens and virtual keys, in whatever place. */
export type WithoutTokens = (headers: IncomingHttpHeaders, codec: Codec) => IncomingHttpHeaders

/** What is left is the client's own key. Where it stood in a place that the dialect does not have, it is moved to the one that it has. */
export function withoutTokens(tokens: GatewayConfig['tokens']): WithoutTokens {
  const holdsToken = (value: string): boolean => holdsSecret(value) || tokens.some(({ token }) => value.includes(token))
  return (headers, codec) => {
    const given = places.filter((name) => headers[name] !== undefined)
    const spent = given.filter((name) => holdsToken(String(headers[name])))
    if (spent.length === 0) return headers
    const own = { ...headers }
    for (const name of spent) delete own[name]
    const [left] = given.filter((name) => !spent.includes(name))
    const { credential = 'authorization' } = codec.signs
    if (left === undefined || own.authorization !== undefined || own[credential] !== undefined) return own
    const key = String(own[left])
    delete own[left]
    return { ...own, ...keyHeaders(codec, key) }
  }
}
