import type { SimulatedCall } from '../dialect.ts'
import type { Check, ProviderProblem } from '../wire.ts'
import { listOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { callsOf, contentParts } from './message.ts'
import { showsReasoning } from './reasoning.ts'
import { refused } from './problem.ts'

type CallCheck = Check<SimulatedCall>

const messagesAreThere: CallCheck = ({ body }) => {
  const { messages } = body
  if (messages === undefined)
    return refused("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter')
  if (!Array.isArray(messages))
    return refused("Invalid type for 'messages': expected an array of objects.", 'messages', 'invalid_type')
  if (messages.length > 0) return undefined
  return refused(
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    'messages',
    'empty_array',
  )
}

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']

const rolesAreKnown: CallCheck = ({ body }) => {
  const bad = listOf(body['messages']).findIndex((message) => !roles.includes(textOf(objectOf(message)['role']) ?? ''))
  if (bad < 0) return undefined
  const role = String(objectOf(listOf(body['messages'])[bad])['role'])
  const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'"
  return refused(
    `Invalid value: '${role}'. Supported values are: ${supported}.`,
    `messages[${bad}].role`,
    'invalid_value',
  )
}

const contentIsThere: CallCheck = ({ body }) => {
  for (const [index, message] of objectsOf(body['messages']).entries()) {
    const { content, role } = message
    const mayBeEmpty = role === 'assistant' && (message['tool_calls'] !== undefined || message['refusal'] !== undefined)
    if (content == null && !mayBeEmpty)
      return refused(`Invalid value for 'content': expected a string, got null.`, `messages.[${index}].content`)
    if (content != null && typeof content !== 'string' && !Array.isArray(content))
      return refused(
        `Invalid type for 'messages[${index}].content': expected one of a string or array of objects.`,
        `messages[${index}].content`,
        'invalid_type',
      )
  }
  return undefined
}

/** Part types by role. */
const partTypes: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  system: ['text'],
  developer: ['text'],
  tool: ['text'],
}

const partsSuitTheirRole: CallCheck = ({ body }) => {
  for (const [index, message] of objectsOf(body['messages']).entries()) {
    const allowed = partTypes[textOf(message['role']) ?? ''] ?? []
    const bad = contentParts(message).findIndex((part) => !allowed.includes(textOf(part['type']) ?? ''))
    if (bad < 0) continue
    const type = String(contentParts(message)[bad]?.['type'])
    return refused(
      `Invalid value: '${type}'. Supported values are: ${allowed.map((name) => `'${name}'`).join(', ')}.`,
      `messages[${index}].content[${bad}].type`,
      'invalid_value',
    )
  }
  return undefined
}

/** Walks the conversation; what an assistant message called must be answered before anything else is said. */
const callsAndResultsPair: CallCheck = ({ body }) => {
  let open: ReadonlySet<string> = new Set()
  let answering = false
  const messages = objectsOf(body['messages'])
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = textOf(message['tool_call_id']) ?? ''
      if (!answering) return orphanResult(index)
      if (!open.has(id)) return unknownResult(index, id)
      open = open.difference(new Set([id]))
      continue
    }
    if (open.size > 0) return unanswered(index, open)
    const calls = message['role'] === 'assistant' ? callsOf(message) : []
    open = new Set(calls.map((call) => call.id))
    answering = calls.length > 0
  }
  return open.size > 0 ? unanswered(messages.length, open) : undefined
}

function orphanResult(index: number): ProviderProblem {
  return refused(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${index}].role`,
  )
}

function unknownResult(index: number, id: string): ProviderProblem {
  return refused(
    `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    `messages.[${index}].tool_call_id`,
  )
}

function unanswered(index: number, ids: ReadonlySet<string>): ProviderProblem {
  return refused(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    `messages.[${index}].role`,
  )
}

/** DeepSeek wants its reasoning back once tools are in play. */
const reasoningComesBack: CallCheck = (call) => {
  if (!showsReasoning(call) || objectsOf(call.body['tools']).length === 0) return undefined
  const missing = objectsOf(call.body['messages']).some(
    (message) => message['role'] === 'assistant' && textOf(message['reasoning_content']) === undefined,
  )
  return missing ? refused('The reasoning_content in the thinking mode must be passed back to the API') : undefined
}

export const messageChecks: readonly CallCheck[] = [
  messagesAreThere,
  rolesAreKnown,
  contentIsThere,
  partsSuitTheirRole,
  callsAndResultsPair,
  reasoningComesBack,
]

/** What nobody could make sense of, whatever the model. */
export const shapeChecks: readonly CallCheck[] = [messagesAreThere, callsAndResultsPair]
