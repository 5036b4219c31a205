import { pipeline } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { UpstreamReply } from './upstream.ts'

const decoders = {
  gzip: () => createGunzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress(),
} as const

/** Undoes a compression that the provider chose although none was asked for; other replies stay as they are. */
export function decodedBody(reply: UpstreamReply): UpstreamReply {
  const { 'content-encoding': encoding, 'content-length': _, ...headers } = reply.headers
  const name = String(encoding ?? '').toLowerCase()
  if (!(name in decoders)) return reply
  const decoder = decoders[name as keyof typeof decoders]()
  // Failures come out of the decoder, which the reader reads.
  pipeline(reply.body, decoder, () => {})
  return { status: reply.status, headers, body: decoder as AsyncIterable<Uint8Array> }
}
