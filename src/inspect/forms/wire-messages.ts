import { detectDialect } from '../../codecs/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { Dialect, JsonObject, JsonValue } from '../../core/index.ts'
import { geminiMessages } from './gemini-messages.ts'
import { responsesMessages } from './responses-messages.ts'
import type { WireMessages } from './wire-message.ts'

/** The messages of a body. Never throws: what is wrong in a message is found where that is read. */
export function wireMessages(body: JsonObject, named?: Dialect): WireMessages {
  const dialect = named ?? detectDialect({ body })
  if (dialect === 'openai-responses') return responsesMessages(body)
  if (dialect === 'gemini') return geminiMessages(body)
  const list = Array.isArray(body['messages']) ? body['messages'] : []
  const { tools, system } = body
  return {
    dialect,
    member: 'messages',
    messages: list.map((raw: unknown, at) => ({ raw, at })),
    front: { ...(tools !== undefined && { tools }), ...(system !== undefined && { system }) },
  }
}

/** The body that was sent before the answer whose first element has this index. */
export function bodyBefore(body: JsonObject, { member, dialect }: WireMessages, at: number): JsonObject {
  const list: JsonValue | undefined = body[member]
  const before = Array.isArray(list) ? list.slice(0, at).map(untimed) : []
  const { ts: _ts, ...others } = body
  return dialect === 'openai-chat' || dialect === 'anthropic-messages'
    ? { ...others, messages: before }
    : { ...others, [member]: before }
}

function untimed(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message
  const { ts: _ts, ...others } = message
  return others
}
