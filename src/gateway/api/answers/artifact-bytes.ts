import { createHash } from 'node:crypto'
import type { Artifact, ByteRange } from '../../../stores/index.ts'
import { artifactBytes } from '../../../sessions/index.ts'
import type { ArtifactHost } from '../../../sessions/index.ts'

const pieceBytes = 1024 * 1024

/** What a request asks for: all bytes, some, or bytes that there are none of. */
export type WantedBytes = ByteRange | 'all' | 'none'

/** Reads a `range` header. One with several ranges, or that is none, asks for all bytes, as HTTP allows. */
export function wantedBytes(range: string | undefined, sizeBytes: number): WantedBytes {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all'
  if (first === '') {
    const count = Math.min(Number(last), sizeBytes)
    return count === 0 ? 'none' : { start: sizeBytes - count, end: sizeBytes }
  }
  if (last !== '' && Number(last) < Number(first)) return 'all'
  if (Number(first) >= sizeBytes) return 'none'
  return { start: Number(first), end: last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) }
}

/** Bytes piece by piece, read as they are taken. Those of a whole artifact that do not have its hash end in an error before the last piece. */
export function artifactStream(
  { blobs }: Pick<ArtifactHost, 'blobs'>,
  artifact: Artifact,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array> {
  const isWhole = start === 0 && end === artifact.sizeBytes
  const hash = createHash('sha256')
  let at = start
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at >= end) return controller.close()
      const piece = await artifactBytes({ blobs }, artifact, { start: at, end: Math.min(at + pieceBytes, end) })
      at += piece.length
      hash.update(piece)
      const isBroken = piece.length === 0 || (isWhole && at === end && hash.digest('hex') !== artifact.sha256)
      if (isBroken) return controller.error(new Error('the stored bytes are damaged'))
      controller.enqueue(piece)
    },
  })
}
