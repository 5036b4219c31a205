import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { PrehendError, invalidInput } from '../../core/index.ts'
import { letGo } from '../../host/index.ts'

/** Throws where a body is compressed. */
export function requirePlain({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding === 'identity') return
  const problem = `${JSON.stringify(encoding)} bodies are not read here`
  throw invalidInput('content-encoding', problem, 'Send the body uncompressed.')
}

export interface BodyKeeping {
  /** Told of every piece before it is kept; what it throws ends the reading. */
  readonly hold?: (bytes: number) => void
}

/** Pieces of a request's body as they are taken. Throws `body-too-large` as soon as that is known; the rest is then to be discarded. */
export async function* bodyPieces(
  request: IncomingMessage,
  limitBytes: number,
  { hold }: BodyKeeping = {},
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  if (hasLeft(request)) throw closed()
  let size = 0
  // The connection is needed for the answer.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    hold?.(piece.length)
    yield piece
  }
}

/** Reads a request's body. Rejects with `body-too-large` as soon as that is known, keeping nothing of it. */
export function readBody(request: IncomingMessage, limitBytes: number, { hold }: BodyKeeping = {}): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limitBytes) return Promise.reject(tooLarge(limitBytes))
  if (hasLeft(request)) return Promise.reject(closed())
  return new Promise((done, failed) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limitBytes) throw tooLarge(limitBytes)
      hold?.(chunk.length)
      chunks.push(chunk)
    }
    request.on('data', (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        chunks.length = 0
        request.removeAllListeners('data')
        failed(error)
      }
    })
    request.on('end', () => done(joined(chunks)))
    request.on('error', failed)
  })
}

/** Of a client that left while somebody found out who it is, nothing comes any more, and no event says so. */
function hasLeft(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete
}

function closed(): Error {
  return new Error('the client closed the connection')
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const whole = Buffer.concat(chunks)
  chunks.forEach(letGo)
  return whole
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as text. Throws `invalid-json` where it is not UTF-8, since replacing bytes would change what is sent. */
export function bodyText(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    const remedy = 'Send the body as UTF-8.'
    const data = { field: 'body', remedy, offset: 0 }
    throw new PrehendError('invalid-json', `The body is not UTF-8. ${remedy}`, data, cause)
  }
}

function tooLarge(limitBytes: number): PrehendError {
  const remedy = 'Send less, or raise limits.bodyBytes, the tenant’s own where it has one.'
  const data = { limitBytes, field: 'body', remedy }
  return new PrehendError('body-too-large', `The body is larger than ${limitBytes} bytes. ${remedy}`, data)
}
