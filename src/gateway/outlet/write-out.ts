import type { ServerResponse } from 'node:http'
import { bytesOf, encodeSse } from '../../codecs/index.ts'
import type { SseEvent } from '../../codecs/index.ts'
import type { ResponseHeaders } from './reply.ts'

export function writeHead(response: ServerResponse, status: number, headers: ResponseHeaders): void {
  response.writeHead(status, headers as Record<string, string>)
}

/** Writes to a client and waits while it is slower than we are. */
export async function writeOut(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0 || response.destroyed || response.write(chunk)) return
  await new Promise<void>((done) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      done()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}

/** Events on the wire: in the bytes in which they came, where nobody has changed them. */
export function encodedEvents(events: readonly SseEvent[]): Uint8Array {
  const [only] = events
  const own = events.length === 1 && only && bytesOf(only)
  return own || Buffer.concat(events.map((event) => bytesOf(event) ?? Buffer.from(encodeSse(event))))
}
