import type { Codec } from '../../codecs/index.ts'
import { codecFor } from '../../codecs/index.ts'
import type { Dialect, Exchange, JsonObject } from '../../core/index.ts'
import { invalidInput, isJsonObject, scanJson } from '../../core/index.ts'

export interface ReadRequest {
  readonly codec: Codec
  readonly received: Exchange
}

/** Reads a body of any dialect, given as a text or as what an SDK takes. Throws `invalid-json` and `invalid-input`. */
export function readRequest(
  request: object | string,
  dialectOf: (body: JsonObject) => Dialect,
  guess: (body: string) => Exchange | undefined,
): ReadRequest {
  const body = typeof request === 'string' ? request : JSON.stringify(request)
  const value = typeof request === 'string' ? parsed(request) : request
  if (!isJsonObject(value)) throw invalidInput('request', 'is not an object', 'Give the body of a request.')
  const codec = codecFor(dialectOf(value))
  return { codec, received: codec.decode({ body }, guess(body)) }
}

/** With the place where a text stops being JSON, which the platform's parser does not always tell. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    scanJson(text)
    throw error
  }
}
