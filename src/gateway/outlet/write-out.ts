import { bytesOf, encodeSse } from '../../codecs/index.ts'
import type { SseEvent } from '../../codecs/index.ts'
import type { ClientResponse } from './client.ts'
import type { ResponseHeaders } from './reply.ts'

export function writeHead(response: ClientResponse, status: number, headers: ResponseHeaders): void {
  response.writeHead(status, headers as Record<string, string>)
}

/** Writes to a client; what there is to wait for while it is slower than we are, unless the exchange is over. */
export function writeOut(response: ClientResponse, chunk: Uint8Array, signal: AbortSignal): Promise<void> | undefined {
  if (chunk.length === 0 || response.destroyed || response.write(chunk) || signal.aborted) return undefined
  return new Promise<void>((done) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      signal.removeEventListener('abort', go)
      done()
    }
    response.on('drain', go)
    response.on('close', go)
    signal.addEventListener('abort', go)
  })
}

/** Bytes that are worth copying to be written with their head. */
const mostJoined = 16_384

/** Ends a response with its last bytes. Node joins a head and a string to one write; bytes it writes beside it. */
export function endWith(response: ClientResponse, bytes: Uint8Array): void {
  if (bytes.length > mostJoined) response.end(bytes)
  else response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1')
}

/** Events on the wire: in the bytes in which they came, where nobody has changed them. */
export function encodedEvents(events: readonly SseEvent[]): Uint8Array {
  const [only] = events
  const own = events.length === 1 && only && bytesOf(only)
  return own || Buffer.concat(events.map((event) => bytesOf(event) ?? Buffer.from(encodeSse(event))))
}
