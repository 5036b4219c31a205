import { dialects } from '../../codecs/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { chatMessages } from './chat-messages.ts'
import { objectIn, unquoted } from './json-access.ts'

/** What is told of a request beside what was said. */
export interface Beside {
  readonly model?: string | undefined
  readonly tools?: unknown
  readonly system?: unknown
}

/**
 * The request that a tool for observing has recorded as the input of a call: a body, a list of messages in whatever form,
 * or the words alone. Undefined where it holds nothing of these.
 */
export function loggedBody(recorded: unknown, { model, tools, system }: Beside = {}): JsonObject | undefined {
  const input = unquoted(recorded)
  const body = bodyIn(input)
  if (body === undefined) return undefined
  const list = unquoted(tools)
  return {
    ...(model !== undefined && body['model'] === undefined && { model }),
    ...(Array.isArray(list) && list.length > 0 && body['tools'] === undefined && { tools: list }),
    ...(isSaid(system) && body['system'] === undefined && { system }),
    ...body,
  }
}

function isSaid(system: unknown): system is string {
  return typeof system === 'string' && system !== ''
}

function bodyIn(input: unknown): JsonObject | undefined {
  if (typeof input === 'string') return input === '' ? undefined : { messages: [{ role: 'user', content: input }] }
  if (Array.isArray(input)) {
    const messages = chatMessages(input)
    return messages.length === 0 ? undefined : { messages }
  }
  if (!isJsonObject(input)) return undefined
  for (const name of ['messages', 'prompt', 'input_messages']) {
    const list = unquoted(input[name])
    if (!Array.isArray(list) || list.length === 0) continue
    const { [name]: _list, ...others } = input
    return { ...requestMembers(others), messages: chatMessages(list) }
  }
  if (dialects.isRequest(input) && !('messages' in input)) return input
  if (typeof input['role'] === 'string' && 'content' in input) return { messages: chatMessages([input]) }
  const inner = [input['body'], input['request'], input['kwargs'], input['params'], input['json']].map(unquoted)
  const found = inner.find((value) => isJsonObject(value) && bodyIn(value) !== undefined)
  return found === undefined ? undefined : bodyIn(objectIn(found))
}

/** Beside the messages, exporters keep members that no request has. */
const known = [
  'model',
  'tools',
  'system',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'tool_choice',
  'stream',
]

function requestMembers(body: JsonObject): JsonObject {
  const members = Object.entries(body).filter(([name, value]) => known.includes(name) && value !== null)
  return Object.fromEntries(members.map(([name, value]) => [name, value]))
}
