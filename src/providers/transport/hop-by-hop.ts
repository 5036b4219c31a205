import type { Upload } from './upstream.ts'

/** Headers that concern one connection only. */
export const hopByHopHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Set by the connection itself. */
export const framingHeaders = ['content-length', 'expect', 'host']

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers that may go on to the next connection, with names in lower case. */
export function endToEndHeaders(headers: Headers): Record<string, string | readonly string[]> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const named = connectionOptions(lower.find(([name]) => name === 'connection')?.[1])
  const dropped = new Set([...hopByHopHeaders, ...named])
  return Object.fromEntries(
    lower.filter((entry): entry is [string, string] => !dropped.has(entry[0]) && entry[1] !== undefined),
  )
}

/** The headers that a `connection` header names as those of one connection, beside those that always are. */
export function connectionOptions(connection: Headers[string]): readonly string[] {
  return connection === undefined
    ? []
    : String(connection)
        .toLowerCase()
        .split(/\s*,\s*/)
}

/** The same for a request that is sent anew. */
export function outgoingHeaders(headers: Headers): Record<string, string | readonly string[]> {
  const kept = endToEndHeaders(headers)
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !framingHeaders.includes(name)))
}

/** What frames a body that is passed on while it comes; without a size it goes in chunks. */
export function uploadHeaders(upload: Upload | undefined): Record<string, string> {
  return upload?.sizeBytes === undefined ? {} : { 'content-length': String(upload.sizeBytes) }
}
