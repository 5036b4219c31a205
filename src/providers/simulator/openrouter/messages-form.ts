import { isInstruction, parseObject } from '../../../core/index.ts'
import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedModel } from '../model.ts'
import { callsOf, contentParts } from '../openai/message.ts'
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { anthropicMark } from './cache-marks.ts'
import { asksForReasoning } from './provider-form.ts'

/** A chat as the Messages API is asked it, marks for its cache included; what the model does not take is left out. */
export function messagesForm(body: JsonObject, model: SimulatedModel): JsonObject {
  const stop = typeof body['stop'] === 'string' ? [body['stop']] : listOf(body['stop'])
  const maxTokens = numberOf(body['max_tokens']) ?? numberOf(body['max_completion_tokens'])
  return {
    model: model.id,
    max_tokens: Math.min(maxTokens ?? Infinity, model.info.maxOutputTokens),
    ...promptForm(body),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(body['cache_control'] != null && { cache_control: body['cache_control'] }),
    ...thinkingOf(body, model),
    ...(body['stream'] === true && { stream: true }),
  }
}

/** The same without what is asked of the answer. */
export function promptForm(body: JsonObject): JsonObject {
  const messages = objectsOf(body['messages'])
  const isSystem = ({ role }: JsonObject): boolean => isInstruction(role)
  const system = messages.filter(isSystem).flatMap((message) => contentParts(message).flatMap(contentBlock))
  const tools = objectsOf(body['tools'])
  return {
    ...(system.length > 0 && { system }),
    messages: turns(messages.filter((message) => !isSystem(message))),
    ...(tools.length > 0 && { tools: tools.map(toolOf), ...choiceOf(body) }),
  }
}

/** Results stand in the message of the user that they come with. */
function turns(messages: readonly JsonObject[]): readonly JsonObject[] {
  const all: { role: string; content: readonly JsonObject[] }[] = []
  for (const message of messages) {
    const role = message['role'] === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = all.at(-1)
    if (last?.role === role) all[all.length - 1] = { role, content: [...last.content, ...content] }
    else all.push({ role, content })
  }
  return all
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const said = contentParts(message).flatMap(contentBlock)
  if (message['role'] === 'tool') {
    return [{ type: 'tool_result', tool_use_id: textOf(message['tool_call_id']) ?? '', content: said }]
  }
  const calls = callsOf(message).map(({ id, name, arguments: json }) => ({
    type: 'tool_use',
    id,
    name,
    input: parseObject(json) ?? {},
  }))
  return [...objectsOf(message['reasoning_details']).flatMap(thinkingBlock), ...said, ...calls]
}

function contentBlock(part: JsonObject): readonly JsonObject[] {
  const text = textOf(part['text'])
  if (text !== undefined) return text === '' ? [] : [{ type: 'text', text, ...anthropicMark(part) }]
  const url = textOf(objectOf(part['image_url'])['url']) ?? ''
  const [, media_type, data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? []
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: media_type ?? '', data }
  return part['type'] === 'image_url' ? [{ type: 'image', source, ...anthropicMark(part) }] : []
}

/** What was thought goes back where it was signed. */
function thinkingBlock({ type, text, signature, data }: JsonObject): readonly JsonObject[] {
  if (type === 'reasoning.encrypted' && typeof data === 'string') return [{ type: 'redacted_thinking', data }]
  const isSigned = type === 'reasoning.text' && typeof signature === 'string'
  return isSigned ? [{ type: 'thinking', thinking: text ?? '', signature }] : []
}

function toolOf(tool: JsonObject): JsonObject {
  const { name = '', description, parameters } = objectOf(tool['function'])
  const schema = parameters ?? { type: 'object', properties: {} }
  return { name, ...(description != null && { description }), input_schema: schema, ...anthropicMark(tool) }
}

function choiceOf(body: JsonObject): JsonObject {
  const { tool_choice: choice, parallel_tool_calls: parallel } = body
  const serial = parallel === false ? { disable_parallel_tool_use: true } : {}
  const named = textOf(objectOf(objectOf(choice)['function'])['name'])
  if (named !== undefined) return { tool_choice: { type: 'tool', name: named, ...serial } }
  if (choice === 'none') return { tool_choice: { type: 'none' } }
  if (choice === 'required') return { tool_choice: { type: 'any', ...serial } }
  return parallel === false ? { tool_choice: { type: 'auto', ...serial } } : {}
}

/** Reasoning as the model has it: by its own measure, or by a budget. */
function thinkingOf(body: JsonObject, model: SimulatedModel): JsonObject {
  const reasoning = objectOf(body['reasoning'])
  const effort = reasoning['effort'] ?? body['reasoning_effort']
  const modes = model.provider === 'anthropic' ? model.claude.thinkingModes : []
  if (effort === 'none' || reasoning['enabled'] === false) {
    return modes.includes('disabled') ? { thinking: { type: 'disabled' } } : {}
  }
  if (!asksForReasoning(body)) return {}
  if (modes.includes('adaptive')) return { thinking: { type: 'adaptive', display: 'summarized' } }
  return modes.includes('enabled')
    ? { thinking: { type: 'enabled', budget_tokens: numberOf(reasoning['max_tokens']) ?? 1024 } }
    : {}
}
