import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { Check } from '../wire.ts'
import { listOf, objectsOf } from '../read-json.ts'
import { contentBlocks, placedBlocks } from './message.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

export const messagesAreThere: CallCheck = ({ body }) => {
  if (body['messages'] === undefined) return invalid('messages: Field required')
  if (!Array.isArray(body['messages'])) return invalid('messages: Input should be a valid list')
  const count = listOf(body['messages']).length
  if (count === 0) return invalid('messages: at least one message is required')
  return count > 100_000 ? invalid('messages: at most 100000 messages are allowed') : undefined
}

const rolesAreKnown: CallCheck = ({ body, model }) => {
  const index = objectsOf(body['messages']).findIndex(
    ({ role }) => role !== 'user' && role !== 'assistant' && role !== 'system',
  )
  if (index >= 0) return invalid(`messages.${index}.role: Input should be 'user' or 'assistant'`)
  const system = objectsOf(body['messages']).findIndex(({ role }) => role === 'system')
  const supported = model.provider === 'anthropic' && model.claude.systemMessages
  if (system < 0 || supported) return undefined
  return invalid(`messages.${system}: role 'system' is not supported on this model`)
}

const systemMessagesAreInPlace: CallCheck = ({ body }) => {
  const messages = objectsOf(body['messages'])
  const bad = messages.findIndex(({ role, content }, index) => {
    if (role !== 'system') return false
    const next = messages[index + 1]
    const follows = index > 0 && canPrecedeSystem(messages[index - 1])
    const textOnly = contentBlocks(content).every((block) => block['type'] === 'text')
    return !follows || !textOnly || (next !== undefined && next['role'] !== 'assistant')
  })
  if (bad < 0) return undefined
  return invalid(`messages.${bad}: role 'system' must follow a user message and be last or before an assistant message`)
}

function canPrecedeSystem(message: JsonObject | undefined): boolean {
  if (message?.['role'] === 'user') return true
  const last = contentBlocks(message?.['content']).at(-1)
  return message?.['role'] === 'assistant' && String(last?.['type']).endsWith('_tool_result')
}

const contentIsThere: CallCheck = ({ body }) => {
  const messages = objectsOf(body['messages'])
  for (const [index, { role, content }] of messages.entries()) {
    if (content === undefined) return invalid(`messages.${index}.content: Field required`)
    if (typeof content !== 'string' && !Array.isArray(content))
      return invalid(`messages.${index}.content: Input should be a valid string or list`)
    const finalAssistant = role === 'assistant' && index === messages.length - 1
    if (contentBlocks(content).length === 0 && !finalAssistant)
      return invalid(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      )
  }
  return undefined
}

const textIsNotEmpty: CallCheck = ({ body }) => {
  const texts = placedBlocks(body).filter(({ block }) => block['type'] === 'text')
  const untyped = texts.find(({ block }) => typeof block['text'] !== 'string')
  if (untyped) return invalid(`${untyped.path}.text.text: Field required`)
  if (texts.some(({ block }) => block['text'] === '')) return invalid('messages: text content blocks must be non-empty')
  const blank = texts.some(({ block }) => String(block['text']).trim() === '')
  return blank ? invalid('messages: text content blocks must contain non-whitespace text') : undefined
}

/** Which roles may carry a block type. Types that are not listed may stand anywhere. */
const rolesOfType: Readonly<Record<string, string>> = {
  tool_result: 'user',
  image: 'user',
  document: 'user',
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  server_tool_use: 'assistant',
}

const blocksSuitTheirRole: CallCheck = ({ body }) => {
  for (const { block, path, message, messageIndex } of placedBlocks(body)) {
    if (typeof block['type'] !== 'string') return invalid(`${path}.type: Field required`)
    const role = rolesOfType[block['type']]
    if (role !== undefined && role !== message['role'])
      return invalid(`messages.${messageIndex}: \`${block['type']}\` blocks can only be in \`${role}\` messages`)
  }
  return undefined
}

const noPrefillWhereUnsupported: CallCheck = ({ body, model }) => {
  const last = objectsOf(body['messages']).at(-1)
  if (last?.['role'] !== 'assistant' || (model.provider === 'anthropic' && model.claude.prefill)) return undefined
  return invalid(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  )
}

const prefillDoesNotEndInSpace: CallCheck = ({ body }) => {
  const last = objectsOf(body['messages']).at(-1)
  const text = contentBlocks(last?.['content']).at(-1)?.['text']
  return last?.['role'] === 'assistant' && typeof text === 'string' && text !== text.trimEnd()
    ? invalid('messages: final assistant content cannot end with trailing whitespace')
    : undefined
}

export const messageChecks: readonly CallCheck[] = [
  messagesAreThere,
  rolesAreKnown,
  systemMessagesAreInPlace,
  contentIsThere,
  blocksSuitTheirRole,
  textIsNotEmpty,
  noPrefillWhereUnsupported,
  prefillDoesNotEndInSpace,
]
