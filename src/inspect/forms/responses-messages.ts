import type { JsonObject, JsonValue } from '../../core/index.ts'
import { resultText } from './chat-messages.ts'
import { joinedAnswer } from './joined-answer.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import type { WireMessages } from './wire-message.ts'

/** The messages of a body for OpenAI's Responses API. */
export function responsesMessages(body: JsonObject): WireMessages {
  const { input, tools, instructions } = body
  const items: readonly unknown[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : []
  const messages: { raw: JsonObject; at: number }[] = []
  for (const [at, item] of items.entries()) {
    const raw = responsesMessage(objectIn(item))
    const last = messages.at(-1)
    if (raw['role'] === 'assistant' && last?.raw['role'] === 'assistant') last.raw = joinedAnswer(last.raw, raw)
    else messages.push({ raw, at })
  }
  return {
    dialect: 'openai-responses',
    member: 'input',
    messages,
    front: {
      ...(Array.isArray(tools) && { tools: [...tools] }),
      ...(typeof instructions === 'string' && instructions !== '' && { system: instructions }),
    },
  }
}

function responsesMessage(item: JsonObject): JsonObject {
  const { type, ts } = item
  const time = ts === undefined ? {} : { ts }
  const kind = typeof type === 'string' ? type : 'message'
  if (kind === 'message') {
    const { role, content } = item
    return { ...time, role: typeof role === 'string' ? role : 'user', content: responsesContent(content) }
  }
  if (kind.endsWith('_call_output') || kind === 'tool_search_output') {
    const id = textIn(item, 'call_id')
    return {
      ...time,
      role: 'tool',
      ...(id !== undefined && { tool_call_id: id }),
      content: resultText(item['output'] ?? ''),
    }
  }
  if (kind === 'reasoning') {
    const text = [...objectsIn(item, 'summary'), ...objectsIn(item, 'content')]
      .map((part) => textIn(part, 'text') ?? '')
      .join('\n')
    return { ...time, role: 'assistant', content: [{ type: 'thinking', thinking: text }] }
  }
  const given = item['arguments'] ?? item['input'] ?? item['action']
  const name = textIn(item, 'name') ?? kind.replace(/_call$/, '')
  const id = textIn(item, 'call_id')
  if (given !== undefined && id !== undefined) {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return { ...time, role: 'assistant', content: [], tool_calls: [{ id, name, arguments: text }] }
  }
  return { ...time, role: 'assistant', content: [{ ...item, type: kind }] }
}

const wordTypes: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'refusal', 'summary_text'])
const pictureTypes: ReadonlySet<unknown> = new Set(['input_image', 'input_file', 'input_audio'])

function responsesContent(content: JsonValue | undefined): readonly JsonValue[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objectsIn(content).map((part): JsonObject => {
    const { type } = part
    if (wordTypes.has(type)) return { type: 'text', text: textIn(part, 'text', 'refusal') ?? '' }
    return pictureTypes.has(type) ? { type: 'image' } : { ...part, type: typeof type === 'string' ? type : 'unknown' }
  })
}
