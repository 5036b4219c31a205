import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import { resultText } from './chat-messages.ts'
import { unanswered } from './form.ts'
import type { Form, Found } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { perValue } from './per-value.ts'

/** `api_conversation_history.json` of Cline and its kin for editors: a list of Anthropic messages. */
export const clineHistory: Form = {
  name: 'Cline conversation',
  ofAgent: true,
  recognise: (value) => Array.isArray(value) && value.length > 0 && value.every(isMessage),
  read: (values) => values.map(({ value, place }) => sessionOf({ messages: Array.isArray(value) ? value : [] }, place)),
}

/** `~/.cline/data/sessions/**.messages.json` of the command line. */
export const clineSession = perValue({
  name: 'Cline session',
  ofAgent: true,
  recognise: (value) => 'system_prompt' in value && Array.isArray(value['messages']) && 'sessionId' in value,
  read: (value, place) => [sessionOf(value, place)],
})

/** What Cline shows on its page, from which no request can be told. */
export const clineScreen: Form = {
  name: 'Cline screen messages',
  recognise: (value) => {
    const entries = Array.isArray(value) ? value : [value]
    return (
      entries.length > 0 && entries.every((one) => isJsonObject(one) && 'ts' in one && ('say' in one || 'ask' in one))
    )
  },
  read: (values) => {
    const [first] = values
    if (first === undefined) return []
    throw traceError(
      first.place,
      'holds what Cline shows (ui_messages.json), not what it sends',
      'Give api_conversation_history.json from the same folder',
    )
  },
}

function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { role, content } = value
  return (role === 'user' || role === 'assistant') && (typeof content === 'string' || Array.isArray(content))
}

function sessionOf(value: JsonObject, place: TracePlace): Found {
  const raw = objectsIn(value, 'messages')
  if (!raw.some(({ role }) => role === 'assistant'))
    return unanswered(place, 'holds no answer of the model', 'Give a conversation in which the model answered')
  const system = textIn(value, 'system_prompt')
  const id = textIn(value, 'sessionId')
  const model = raw
    .map((message) => textIn(objectIn(message, 'modelInfo'), 'id', 'modelId'))
    .find((name) => name !== undefined)
  const messages = raw.map(({ role = '', content = '', ts }): JsonObject => {
    const time: JsonObject = typeof ts === 'number' ? { ts } : {}
    return { ...time, role, content: Array.isArray(content) ? content.map(block) : content }
  })
  return {
    kind: 'session',
    ...(id !== undefined && { id }),
    body: { ...(model !== undefined && { model }), ...(system !== undefined && { system }), messages },
    place,
    dialect: 'anthropic-messages',
  }
}

/** Results of the command line are data, which is sent as its JSON. */
function block(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || value['type'] !== 'tool_result') return value
  const { content = '', name: _name, ...others } = value
  const isWire = typeof content === 'string' || objectsIn(content).some(({ type }) => typeof type === 'string')
  return { ...others, content: isWire ? content : resultText(content) }
}
