import { dialects } from '../../codecs/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { Dialect, JsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { objectIn, textIn, unquoted } from './json-access.ts'
import { perValue } from './per-value.ts'

/** A batch input file of OpenAI, Mistral and the like: the URL tells the dialect. */
export const openaiBatch = perValue({
  name: 'OpenAI batch input',
  recognise: (value) => 'custom_id' in value && isJsonObject(unquoted(value['body'])),
  read: (value, place) => {
    const body = objectIn(unquoted(value['body']))
    const at = inside(place, 'body')
    const dialect = dialectAt(textIn(value, 'url'), body)
    if (dialect === undefined) {
      const to = textIn(value, 'url') ?? 'no known endpoint'
      throw traceError(at, `is a request to ${to}, which has no conversation`, 'Give batches of chat requests')
    }
    return [{ kind: 'request', body, dialect, place: at }]
  },
})

/** Endpoints whose bodies look like those of a conversation, and are none. */
const otherTasks = /\/(?:embeddings|moderations|images\/\w+|audio\/\w+|(?<!chat\/)completions)$/

/** The dialect of a body, undefined where it holds no conversation. The URL may be relative or whole, and of any server. */
export function dialectAt(url: string | undefined, body: JsonObject): Dialect | undefined {
  if (!dialects.isRequest(body) || otherTasks.test(url?.split('?', 1)[0] ?? '')) return undefined
  const path = url?.replace(/^\w+:\/\/[^/]+/, '')
  return dialects.detect({ ...(path !== undefined && { path }), body })
}

/** A line of Anthropic's batch: of the JSONL that people keep, or of the `requests` of the body that creates it. */
export const anthropicBatch = perValue({
  name: 'Anthropic batch input',
  recognise: (value) => 'custom_id' in value && isJsonObject(value['params']),
  read: (value, place) => [
    { kind: 'request', body: objectIn(value, 'params'), dialect: 'anthropic-messages', place: inside(place, 'params') },
  ],
})

export const geminiBatch = perValue({
  name: 'Gemini batch input',
  recognise: (value) => Array.isArray(objectIn(unquoted(value['request']))['contents']),
  read: (value, place) => [
    { kind: 'request', body: objectIn(unquoted(value['request'])), dialect: 'gemini', place: inside(place, 'request') },
  ],
})

/** Results of either batch. They answer requests that stand in the input file. */
export const batchResults = perValue({
  name: 'batch results',
  recognise: (value) =>
    (('custom_id' in value && ('result' in value || 'response' in value || 'error' in value)) ||
      ('key' in value && ('response' in value || 'error' in value))) &&
    value['request'] === undefined,
  read: (_value, place) => {
    throw traceError(
      place,
      'is the result of a batch, which does not hold the request',
      'Give the input file of the batch',
    )
  },
})
