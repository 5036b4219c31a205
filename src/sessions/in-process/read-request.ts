import type { Codec, DialectTable } from '../../codecs/index.ts'
import type { WireExchange } from '../../core/index.ts'
import { invalidInput, isJsonObject, jsonTextOf, parseJson } from '../../core/index.ts'

export interface ReadRequest {
  readonly codec: Codec
  readonly received: WireExchange
}

export interface ReadingRequest {
  /** Those that the body may be of. */
  readonly dialects: DialectTable
  /** What was read of the request before it. */
  guess(body: string): WireExchange | undefined
}

/** Reads a body of any dialect, given as a text or as what an SDK takes. Throws `invalid-json` and `invalid-input`. */
export function readRequest(request: object | string, { dialects, guess }: ReadingRequest): ReadRequest {
  const value: unknown = typeof request === 'string' ? parseJson(request) : request
  if (!isJsonObject(value)) throw invalidInput('request', 'is not an object', 'Give the body of a request.')
  const body = typeof request === 'string' ? request : jsonTextOf(request, 'request')
  const codec = dialects.for(dialects.detect({ body: value }))
  const received = codec.decode({ body }, guess(body))
  if (received.conversation.model === '') throw invalidInput('model', 'missing', 'Name the model that it is for.')
  return { codec, received }
}
