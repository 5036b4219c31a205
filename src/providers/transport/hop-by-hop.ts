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
  return without(ownToConnection, headers)
}

/** The headers that a `connection` header names as those of one connection, beside those that always are. */
export function connectionOptions(connection: Headers[string]): readonly string[] {
  if (connection === undefined) return []
  return String(connection)
    .toLowerCase()
    .split(/\s*,\s*/)
}

/** The same for a request that is sent anew. */
export function outgoingHeaders(headers: Headers): Record<string, string | readonly string[]> {
  return without(setByConnection, headers)
}

const ownToConnection: ReadonlySet<string> = new Set(hopByHopHeaders)
const setByConnection: ReadonlySet<string> = new Set([...hopByHopHeaders, ...framingHeaders])

function without(dropped: ReadonlySet<string>, headers: Headers): Record<string, string | readonly string[]> {
  const kept: Record<string, string | readonly string[]> = {}
  let connection: Headers[string]
  for (const written of Object.keys(headers)) {
    const value = headers[written]
    const name = written.toLowerCase()
    if (name === 'connection') connection ??= value
    if (value !== undefined && !dropped.has(name)) kept[name] = value
  }
  for (const name of connectionOptions(connection)) delete kept[name]
  return kept
}

/** What frames a body that is passed on while it comes; without a size it goes in chunks. */
export function uploadHeaders(upload: Upload | undefined): Record<string, string> {
  return upload?.sizeBytes === undefined ? {} : { 'content-length': String(upload.sizeBytes) }
}
