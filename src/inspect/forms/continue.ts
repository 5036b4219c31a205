import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { chatMessages, resultText } from './chat-messages.ts'
import { unanswered } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { perValue } from './per-value.ts'

/** `~/.continue/sessions/*.json`. */
export const continueSession = perValue({
  name: 'Continue session',
  ofAgent: true,
  recognise: (value) => {
    const history = objectsIn(value, 'history')
    return history.length > 0 && history.every((entry) => isJsonObject(entry['message']))
  },
  read: (value, place) => {
    const id = textIn(value, 'sessionId')
    const entries = objectsIn(value, 'history')
    const model = entries.map((entry) => modelOf(objectIn(entry, 'message'))).find((name) => name !== undefined)
    const messages = chatMessages(entries.flatMap(messagesOf))
    if (!messages.some(({ role }) => role === 'assistant'))
      return [unanswered(place, 'holds no answer of the model', 'Give a session in which the model answered')]
    const body = { ...(model !== undefined && { model }), messages }
    return [{ kind: 'session', ...(id !== undefined && { id }), body, place, dialect: 'openai-chat' }]
  },
})

function modelOf(message: JsonObject): string | undefined {
  return textIn(objectIn(message, 'usage'), 'model')
}

/** Calls and, in newer versions, their results stand beside the message that made them. */
function messagesOf(entry: JsonObject): readonly JsonObject[] {
  const { toolCalls, ...message } = objectIn(entry, 'message')
  const calls = objectsIn(toolCalls)
  const results = objectsIn(entry, 'toolCallStates').flatMap((state): readonly JsonObject[] => {
    const id = textIn(state, 'toolCallId')
    if (id === undefined || !Array.isArray(state['output'])) return []
    return [{ role: 'tool', tool_call_id: id, content: resultText(state['output']) }]
  })
  return [{ ...message, ...(calls.length > 0 && { tool_calls: [...calls] }) }, ...results]
}
