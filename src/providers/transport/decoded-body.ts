import { pipeline } from 'node:stream'
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { PrehendError, isPrehendError } from '../../core/index.ts'
import type { UpstreamReply } from './upstream.ts'

const gunzip = (): Transform => createGunzip({ flush: constants.Z_SYNC_FLUSH })

/** A window of 8 MiB is all that a sender over HTTP may ask for (RFC 9659). */
const zstdWindowLog = 23

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', () => createInflate({ flush: constants.Z_SYNC_FLUSH })],
  ['br', () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } })],
])

/** Nobody compresses more often; whoever does wants to make much out of little. */
const mostCodings = 3

/**
 * Undoes the compression that a provider chose although none was asked for. What nobody here can undo stays as it came, its
 * `content-encoding` with it. Reading rejects with `upstream-broken` where a body is not what its header says.
 */
export function decodedBody({ status, headers, body }: UpstreamReply): UpstreamReply {
  const codings = codingsOf(headers)
  const makers = makersOf(codings)
  if (!makers) return { status, headers, body }
  const plain = makers.length === 0 ? body : decoded(body, makers.toReversed(), codings.join(', '))
  return { status, headers: decodedHeaders(headers), body: plain }
}

/** The headers of a body whose compression has been undone, where that is possible. */
export function decodedHeaders(headers: UpstreamReply['headers']): UpstreamReply['headers'] {
  const { 'content-encoding': encoding, 'content-length': length, ...others } = headers
  const codings = codingsOf(headers)
  if (encoding === undefined || !makersOf(codings)) return headers
  return { ...others, ...(codings.length === 0 && length !== undefined && { 'content-length': length }) }
}

/** In the order in which they were applied. */
function codingsOf({ 'content-encoding': encoding }: UpstreamReply['headers']): readonly string[] {
  if (encoding === undefined) return []
  const names = String(encoding).toLowerCase().split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
}

/** Undefined where one of them cannot be undone. */
function makersOf(codings: readonly string[]): readonly (() => Transform)[] | undefined {
  const makers = codings.flatMap((name) => decoders.get(name) ?? [])
  return makers.length < codings.length || codings.length > mostCodings ? undefined : makers
}

async function* decoded(
  body: UpstreamReply['body'],
  makers: readonly (() => Transform)[],
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // Failures of every part come out of the last one, which is read here.
    yield* makers.reduce((coded, make) => pipeline(coded, make(), () => {}), body)
  } catch (cause) {
    throw isPrehendError(cause) ? cause : notAsEncoded(encoding, cause)
  }
}

function notAsEncoded(encoding: string, cause: unknown): PrehendError {
  const remedy = 'Send the request again.'
  const said = `The provider's reply is not the ${encoding} that it says it is. ${remedy}`
  return new PrehendError('upstream-broken', said, { remedy }, cause)
}
