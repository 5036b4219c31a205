import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'

/** The same call as Chat Completions would be asked it: both are rendered, counted and cached alike. */
export function chatCall(call: SimulatedCall): SimulatedCall {
  return { ...call, body: chatBody(call.body) }
}

/** Members that say nothing of how a prompt is read. */
const ownMembers: ReadonlySet<string> = new Set([
  'background',
  'context_management',
  'conversation',
  'include',
  'max_tool_calls',
  'previous_response_id',
  'store',
  'truncation',
])

export function chatBody(body: JsonObject): JsonObject {
  const { input, instructions, tools, tool_choice: choice, text, reasoning, max_output_tokens: most, ...rest } = body
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  const same = Object.fromEntries(Object.entries(rest).filter(([name]) => !ownMembers.has(name)))
  const format = objectOf(objectOf(text)['format'])
  const { effort } = objectOf(reasoning)
  const items = itemsOf(input)
  const brought = items.flatMap((item) => (bringsTools(item) ? objectsOf(item['tools']) : []))
  const offered = [...objectsOf(tools), ...brought].flatMap(chatTool)
  return {
    ...same,
    messages: [...system, ...chatMessages(items.filter((item) => !bringsTools(item)))],
    // Responses takes an empty list, as the OpenAI Agents SDK sends it; Chat Completions refuses one.
    ...(offered.length === 0 && (tools === undefined || Array.isArray(tools)) ? {} : { tools: offered }),
    ...(choice === undefined ? {} : { tool_choice: chatChoice(choice) }),
    ...(most === undefined ? {} : { max_completion_tokens: most }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format['type'] === 'json_schema' ? { response_format: { type: 'json_schema', json_schema: format } } : {}),
    ...(format['type'] === 'json_object' ? { response_format: format } : {}),
  }
}

/** The items of an input; words alone are those of the user. */
export function itemsOf(input: JsonValue | undefined): readonly JsonObject[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
}

/** Messages and calls of one reply are one message there. */
function chatMessages(items: readonly JsonObject[]): readonly JsonObject[] {
  const messages: JsonObject[] = []
  for (const item of items) {
    const message = chatMessage(item)
    const last = messages.at(-1)
    const calls = message?.['tool_calls']
    if (calls !== undefined && last?.['role'] === 'assistant')
      messages[messages.length - 1] = { ...last, tool_calls: [...objectsOf(last['tool_calls']), ...objectsOf(calls)] }
    else if (message !== undefined) messages.push(message)
  }
  return messages
}

function chatMessage(item: JsonObject): JsonObject | undefined {
  const { type, role, content, output, call_id: id = '', name = '' } = item
  if (role !== undefined) return { role, content: chatContent(content) }
  if (type === 'function_call' || type === 'custom_tool_call') {
    const called = { name, arguments: item['arguments'] ?? item['input'] ?? '' }
    return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] }
  }
  const isResult = type === 'function_call_output' || type === 'custom_tool_call_output'
  return isResult ? { role: 'tool', tool_call_id: id, content: chatContent(output) } : undefined
}

function chatContent(content: JsonValue | undefined): JsonValue {
  if (!Array.isArray(content)) return content ?? null
  return objectsOf(content).map((part) => {
    const { type, image_url: url, detail, ...rest } = part
    if (type === 'input_image')
      return { ...rest, type: 'image_url', image_url: { url: url ?? '', detail: detail ?? 'auto' } }
    if (type === 'input_file') return { type: 'file', file: rest }
    return textOf(part['text']) === undefined ? part : { ...rest, type: 'text' }
  })
}

/** Whether an input item brings tools, as Codex sends all of its own. */
function bringsTools({ type }: JsonObject): boolean {
  return type === 'additional_tools'
}

function chatTool({ type, ...definition }: JsonObject): readonly JsonObject[] {
  if (type === 'namespace') return objectsOf(definition['tools']).flatMap(chatTool)
  return type === 'function' || type === 'custom' ? [{ type, [type]: definition }] : []
}

function chatChoice(choice: JsonValue): JsonValue {
  const { type, name } = objectOf(choice)
  return typeof name === 'string' ? { type: type ?? 'function', function: { name } } : choice
}
