import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import type { Found } from './form.ts'
import { millisecondsOf, objectIn, objectsIn, textIn, unquoted } from './json-access.ts'
import { loggedBody } from './logged-body.ts'
import { perValue } from './per-value.ts'

const kinds = /^(?:generation|span|event|agent|tool|chain|retriever|evaluator|embedding|guardrail)$/i

/** Observations and traces as the API lists them and the page exports them. */
export const langfuse = perValue({
  name: 'Langfuse export',
  recognise: (value) => isObservation(value) || isTrace(value),
  read: (value, place) => {
    if (isObservation(value)) return isGeneration(value) ? [requestOf(value, value, place)] : []
    const observations = objectsIn(unquoted(value['observations'])).filter(isGeneration)
    if (observations.length > 0) {
      const at = inside(place, 'observations')
      return observations.map((one, index) => requestOf(one, value, inside(at, index)))
    }
    if (loggedBody(value['input'])?.['messages'] !== undefined && typeof unquoted(value['input']) !== 'string')
      return [requestOf(value, value, place)]
    throw traceError(place, 'is a Langfuse trace without its generations', 'Export observations, or traces with them')
  },
})

function isObservation(value: JsonObject): boolean {
  return (
    typeof value['type'] === 'string' &&
    kinds.test(value['type']) &&
    ('traceId' in value || 'trace_id' in value || isGeneration(value)) &&
    ('input' in value || 'startTime' in value || 'start_time' in value)
  )
}

function isTrace(value: JsonObject): boolean {
  const isNamed = 'id' in value && ('timestamp' in value || 'createdAt' in value)
  return isNamed && ('observations' in value || ('input' in value && ('sessionId' in value || 'htmlPath' in value)))
}

function isGeneration(value: JsonObject): boolean {
  return /^generation$/i.test(String(value['type']))
}

function requestOf(one: JsonObject, owner: JsonObject, place: TracePlace): Found {
  const parameters = objectIn(unquoted(one['modelParameters'] ?? one['model_parameters']))
  const body = loggedBody(one['input'], {
    model: textIn(one, 'model', 'providedModelName', 'provided_model_name'),
    tools: parameters['tools'] ?? objectIn(unquoted(one['metadata']))['tools'],
  })
  if (body === undefined) {
    const remedy = 'Export with input, from a project that does not mask it'
    throw traceError(inside(place, 'input'), 'is missing, so the request is not known', remedy)
  }
  const named = [one, owner].map((each) => textIn(each, 'sessionId', 'session_id')).find((name) => name !== undefined)
  const atMs = millisecondsOf(one['startTime'] ?? one['start_time'] ?? one['timestamp'])
  return { kind: 'request', body, place: inside(place, 'input'), session: named, atMs, ...dialectIn(body) }
}

/** Messages that were brought into Chat's form are of that dialect, whoever the model is of. */
function dialectIn(body: JsonObject): { readonly dialect?: 'openai-chat' } {
  const isChat = objectsIn(body, 'messages').some((message) => isJsonObject(objectsIn(message, 'tool_calls')[0]))
  return isChat ? { dialect: 'openai-chat' } : {}
}
