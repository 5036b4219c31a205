import type { JsonObject } from '../../core/index.ts'
import { OpenCalls, callNames, checkName, checkSchema, objectIn, objectsIn, textIn } from './fault.ts'
import type { Refuse } from './fault.ts'

const openaiModels = /^(?:gpt-(?!oss)|o\d|chatgpt|codex)/
/** Models for which a long description is reported to be refused. */
const shortDescriptions = /^(?:gpt-3|gpt-4(?!\.[1-9])|chatgpt-4|o1|o3-mini)/
const roles = ['system', 'user', 'assistant', 'tool']

/** What OpenAI and servers of its older dialect refuse. */
export function checkOpenaiChat(body: JsonObject, refuse: Refuse): void {
  const model = textIn(body, 'model') ?? ''
  const isOpenai = openaiModels.test(model)
  const messages = objectsIn(body['messages'])
  if (messages.length === 0) refuse('messages', 'is empty')
  for (const [at, tool] of objectsIn(body['tools']).entries()) {
    checkTool(tool, `tools[${at}]`, refuse)
    const { length } = textIn(objectIn(tool, 'function'), 'description') ?? ''
    if (shortDescriptions.test(model) && length > 1024)
      refuse(`tools[${at}].function.description`, `string too long: 1024 at most, got ${length}`)
  }
  checkLimits(body, isOpenai, refuse)
  checkMessages(messages, { model, isOpenai, refuse })
}

function checkTool(tool: JsonObject, path: string, refuse: Refuse): void {
  if (tool['type'] !== 'function') return
  const own = objectIn(tool, 'function')
  checkName(refuse, `${path}.function.name`, { ...callNames, name: textIn(own, 'name') ?? '' })
  if (own['parameters'] === undefined) return
  const schema = objectIn(own, 'parameters')
  checkSchema(refuse, `${path}.function.parameters`, schema)
  if (schema['properties'] === undefined) refuse(`${path}.function.parameters`, 'an object has properties')
}

function checkLimits(body: JsonObject, isOpenai: boolean, refuse: Refuse): void {
  if (!isOpenai && body['max_completion_tokens'] !== undefined)
    refuse('max_completion_tokens', 'extra inputs are not permitted')
  if (!/^(?:gpt-5|o\d)/.test(textIn(body, 'model') ?? '')) return
  if (body['max_tokens'] !== undefined) refuse('max_tokens', 'use max_completion_tokens')
  if (/^gpt-5\.\d/.test(textIn(body, 'model') ?? '') && body['reasoning_effort'] === 'none') return
  for (const name of ['temperature', 'top_p', 'stop'])
    if (body[name] !== undefined && body[name] !== 1) refuse(name, 'is not supported with this model')
}

interface Checked {
  readonly model: string
  readonly isOpenai: boolean
  readonly refuse: Refuse
}

function checkMessages(messages: readonly JsonObject[], { model, isOpenai, refuse }: Checked): void {
  const calls = new OpenCalls(refuse)
  for (const [at, message] of messages.entries()) {
    const path = `messages[${at}]`
    const role = textIn(message, 'role') ?? ''
    if (role === 'tool') {
      calls.result(path, textIn(message, 'tool_call_id') ?? '')
      continue
    }
    calls.over(path)
    if (!(isOpenai ? [...roles, 'developer'] : roles).includes(role)) refuse(`${path}.role`, `unknown role ${role}`)
    if (!isOpenai && role === 'system' && at > 0) refuse(path, 'the system message has to be the first')
    const own = objectsIn(message['tool_calls'])
    const isEmpty = message['content'] === null || message['content'] === undefined || message['content'] === ''
    if (own.length === 0 && isEmpty && role !== 'assistant') refuse(path, 'is empty')
    if (role === 'assistant' && own.length > 0 && /deepseek-reasoner/.test(model))
      if (!textIn(message, 'reasoning_content')) refuse(path, 'reasoning_content is missing')
    if (isOpenai && message['reasoning_content'] !== undefined) refuse(path, 'reasoning_content is unknown')
    for (const call of own) checkCall(call, { path: `${path}.tool_calls`, calls, refuse })
  }
  calls.over('messages')
}

interface CallPlace {
  readonly path: string
  readonly calls: OpenCalls
  readonly refuse: Refuse
}

function checkCall(call: JsonObject, { path, calls, refuse }: CallPlace): void {
  const id = textIn(call, 'id') ?? ''
  if (id === '' || id.length > 40) refuse(`${path}.id`, 'has 1 to 40 characters')
  calls.call(path, id, false)
  if (call['type'] !== 'function') return
  const own = objectIn(call, 'function')
  checkName(refuse, `${path}.function.name`, { ...callNames, name: textIn(own, 'name') ?? '' })
  if (typeof own['arguments'] !== 'string') refuse(`${path}.function.arguments`, 'is a string')
}
