import { dialects } from '../../codecs/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { dialectAt } from './batches.ts'
import type { FoundRequest } from './form.ts'
import { millisecondsOf, objectIn, objectsIn, textIn, unquoted } from './json-access.ts'
import { perValue } from './per-value.ts'

/** What browsers and proxies save of network traffic: requests to models among anything else. */
export const har = perValue({
  name: 'HAR',
  recognise: (value) => Array.isArray(objectIn(value, 'log')['entries']),
  read: (value, place) => {
    const entries = objectsIn(objectIn(value, 'log'), 'entries')
    const at = inside(inside(place, 'log'), 'entries')
    const requests = entries.flatMap((entry, index): readonly FoundRequest[] => {
      const request = objectIn(entry, 'request')
      const url = textIn(request, 'url') ?? ''
      const body = bodyOf(request)
      const dialect = body && dialectAt(url, body)
      if (body === undefined || dialect === undefined) return []
      const atMs = millisecondsOf(entry['startedDateTime'])
      return [{ kind: 'request', body: withModel(body, url), dialect, atMs, place: inside(at, index) }]
    })
    if (requests.length > 0) return requests
    const without = entries.filter((entry) => isPostToModel(objectIn(entry, 'request')))
    const problem =
      without.length > 0
        ? `holds ${without.length} requests to models without their bodies`
        : 'holds no request to a model'
    throw traceError(place, problem, 'Export it "with content", from a page or proxy that asked one')
  },
})

function bodyOf(request: JsonObject): JsonObject | undefined {
  const data = objectIn(request, 'postData')
  const text = textIn(data, 'text')
  if (text === undefined) return undefined
  const isEncoded = (data['encoding'] ?? data['_encoding']) === 'base64'
  const value = unquoted(isEncoded ? Buffer.from(text, 'base64').toString('utf8') : text)
  return isJsonObject(value) ? value : undefined
}

/** Gemini's requests name the model in their URL. */
function withModel(body: JsonObject, url: string): JsonObject {
  const model = /\/models\/([^/:?]+):/.exec(url)?.[1]
  return model === undefined || body['model'] !== undefined ? body : { model: decodeURIComponent(model), ...body }
}

function isPostToModel(request: JsonObject): boolean {
  const path = (textIn(request, 'url') ?? '').replace(/^\w+:\/\/[^/]+/, '').split('?', 1)[0] ?? ''
  return request['method'] === 'POST' && dialects.route('POST', path)?.kind === 'messages'
}
