import type { IncomingMessage } from 'node:http'
import type { Upload } from '../../providers/index.ts'
import { hasBody } from './guard.ts'

/** A request's body, to be passed on while it comes; undefined where it has none. */
export function uploadOf(request: IncomingMessage): Upload | undefined {
  const { headers } = request
  if (!hasBody(headers)) return undefined
  const length = headers['transfer-encoding'] === undefined ? headers['content-length'] : undefined
  return { pieces: piecesOf(request), ...(length !== undefined && { sizeBytes: Number(length) }) }
}

/** Whoever stops reading leaves the connection open: an answer has still to go out on it. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (request.readableDidRead) throw new Error('the body has been passed on already')
  yield* request.iterator({ destroyOnReturn: false })
}
