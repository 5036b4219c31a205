import { dialects } from '../../codecs/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { timeOf } from '../trace-message.ts'
import type { FoundRequest } from './form.ts'
import { textIn, unquoted } from './json-access.ts'
import { loggedBody } from './logged-body.ts'
import { perValue } from './per-value.ts'

/** A body of one of the four dialects. */
export const requestBodies = perValue({
  name: 'request bodies',
  isBody: true,
  recognise: (value) => {
    if (Array.isArray(value['contents'])) return true
    if (typeof value['model'] !== 'string' || value['id'] !== undefined) return false
    if (Array.isArray(value['items'])) return false
    return value['messages'] !== undefined || (dialects.isRequest(value) && !isOtherTask(value))
  },
  read: (value, place) => [requestOf(value, value, place)],
})

/** Texts of other tasks stand in `input`, too. */
function isOtherTask({ model, input, voice }: JsonObject): boolean {
  return (
    voice !== undefined ||
    (!isJsonObject(input) && /embed|bge|rerank|moderation|tts|whisper|speech/i.test(String(model)))
  )
}

/** A body in a member, as proxies and applications keep it, often with the answer beside it. */
export const requestPairs = perValue({
  name: 'requests with their answers',
  recognise: (value) => isAnswered(value) || innerBody(value) !== undefined,
  read: (value, place) => {
    if (isAnswered(value)) return [requestOf(value, loggedBody(value) ?? value, place)]
    const [name, body] = innerBody(value) ?? ['request', {}]
    return [requestOf(value, body, inside(place, name))]
  },
})

/** A body among the members of a log, the answer beside it. */
function isAnswered(value: JsonObject): boolean {
  return Array.isArray(value['messages']) && ['response', 'completion', 'choices'].some((name) => name in value)
}

function innerBody(value: JsonObject): readonly [name: string, body: JsonObject] | undefined {
  for (const name of ['request', 'body', 'request_body', 'requestBody', 'params', 'payload', 'kwargs', 'json']) {
    const inner = unquoted(value[name])
    if (!isJsonObject(inner)) continue
    if (name === 'request' || dialects.isRequest(inner)) {
      const deeper = dialects.isRequest(inner) ? undefined : innerBody(inner)
      return deeper === undefined ? [name, inner] : [`${name}.${deeper[0]}`, deeper[1]]
    }
  }
  return undefined
}

function requestOf(record: JsonObject, body: JsonObject, place: FoundRequest['place']): FoundRequest {
  if (body['previous_response_id'] != null && !Array.isArray(body['messages'])) {
    const remedy = 'Record requests that hold their history (store: false), or the whole session'
    throw traceError(
      inside(place, 'previous_response_id'),
      'names a reply that OpenAI keeps: the history is missing',
      remedy,
    )
  }
  return {
    kind: 'request',
    body,
    place,
    session: textIn(record, 'session', 'session_id', 'sessionId'),
    atMs: timeOf(record['ts'] ?? record['time'] ?? record['timestamp'], { ...place, field: 'ts' }),
  }
}
