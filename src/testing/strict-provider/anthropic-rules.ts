import type { JsonObject } from '../../core/index.ts'
import { OpenCalls, checkName, checkSchema, objectIn, objectsIn, textIn } from './fault.ts'
import type { Refuse } from './fault.ts'

const nameRule = { alphabet: /^[a-zA-Z0-9_-]+$/, most: 128 }
const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** Signatures are long texts in base64; a test may sign with any that has eight characters. */
const signature = /^[A-Za-z0-9+/]{8,}=*$/
/** From these on Claude takes system messages between others, and no words of its own to go on from. */
const newest = /claude-(?:opus-4-[89]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/

/** What Anthropic refuses. */
export function checkAnthropic(body: JsonObject, refuse: Refuse): void {
  const model = textIn(body, 'model') ?? ''
  if (typeof body['max_tokens'] !== 'number') refuse('max_tokens', 'is missing')
  if (body['temperature'] !== undefined && body['top_p'] !== undefined && !/claude-3/.test(model))
    refuse('temperature', 'stands beside top_p')
  if (typeof body['temperature'] === 'number' && body['temperature'] > 1) refuse('temperature', 'is over 1')
  const names = objectsIn(body['tools']).map((tool, at) => checkTool(tool, `tools[${at}]`, refuse))
  if (new Set(names).size < names.length) refuse('tools', 'names are unique')
  checkTexts(objectsIn(body['system']), 'system', refuse)
  checkMarks(body, refuse)
  checkMessages(body, { model, refuse })
}

function checkTool(tool: JsonObject, path: string, refuse: Refuse): string {
  const name = textIn(tool, 'name') ?? ''
  if (tool['type'] !== undefined && tool['type'] !== 'custom') return name
  checkName(refuse, `${path}.name`, { ...nameRule, name })
  checkSchema(refuse, `${path}.input_schema`, objectIn(tool, 'input_schema'))
  return name
}

/** Marks in the order of the prompt: tools, system, messages. */
function checkMarks({ tools, system, messages, cache_control: own }: JsonObject, refuse: Refuse): void {
  const text = JSON.stringify([tools, system, messages])
  const ttls = [...text.matchAll(/"cache_control":\{([^}]*)\}/g)].map(([, inner = '']) => inner.includes('"1h"'))
  if (ttls.length + (own === undefined ? 0 : 1) > 4) refuse('cache_control', 'stands in more than four places')
  if (ttls.some((isLong, at) => isLong && ttls.slice(0, at).includes(false)))
    refuse('cache_control', 'an hour stands behind five minutes')
}

function checkTexts(blocks: readonly JsonObject[], path: string, refuse: Refuse): void {
  for (const block of blocks)
    if (block['type'] === 'text' && (textIn(block, 'text') ?? '').trim() === '') refuse(path, 'has an empty text')
}

interface Checked {
  readonly model: string
  readonly refuse: Refuse
}

function checkMessages(body: JsonObject, { model, refuse }: Checked): void {
  const messages = objectsIn(body['messages'])
  if (messages.length === 0) refuse('messages', 'is empty')
  if (messages[0] !== undefined && messages[0]['role'] !== 'user') refuse('messages[0]', 'the user begins')
  const calls = new OpenCalls(refuse)
  for (const [at, message] of messages.entries()) {
    const path = `messages[${at}]`
    const blocks = objectsIn(message['content'])
    if (message['content'] === '' || (Array.isArray(message['content']) && blocks.length === 0))
      refuse(path, 'is empty')
    checkRole(messages, at, { model, refuse })
    checkTexts(blocks, path, refuse)
    for (const block of blocks) checkBlock(block, { path, calls, model, refuse })
    // Users may speak in several messages, and their results stand in the first.
    if (message['role'] !== 'assistant') calls.over(path)
  }
  calls.over('messages')
  checkThinking(body, messages, refuse)
  checkPrefill(messages.at(-1), { model, refuse })
}

function checkRole(messages: readonly JsonObject[], at: number, { model, refuse }: Checked): void {
  const role = textIn(messages[at] ?? {}, 'role') ?? ''
  if (!['user', 'assistant', 'system'].includes(role)) refuse(`messages[${at}].role`, `unknown role ${role}`)
  if (role !== 'system') return
  const next = messages[at + 1]
  if (!newest.test(model)) refuse(`messages[${at}].role`, 'this model takes no system messages')
  if (next !== undefined && next['role'] !== 'assistant') refuse(`messages[${at}]`, 'the assistant follows the system')
}

interface BlockPlace extends Checked {
  readonly path: string
  readonly calls: OpenCalls
}

function checkBlock(block: JsonObject, { path, calls, model, refuse }: BlockPlace): void {
  const source = objectIn(block, 'source')
  const mime = textIn(source, 'media_type') ?? ''
  switch (block['type']) {
    case 'tool_use': {
      const id = textIn(block, 'id') ?? ''
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) refuse(`${path}.id`, 'has other characters')
      calls.call(path, id, true)
      checkName(refuse, `${path}.name`, { ...nameRule, name: textIn(block, 'name') ?? '' })
      if (typeof block['input'] !== 'object') refuse(`${path}.input`, 'is an object')
      break
    }
    case 'tool_result':
      calls.result(path, textIn(block, 'tool_use_id') ?? '')
      checkTexts(objectsIn(block['content']), path, refuse)
      break
    case 'thinking':
      if (model.includes('claude') && !signature.test(textIn(block, 'signature') ?? ''))
        refuse(path, 'invalid signature in thinking block')
      break
    case 'image':
      if (source['type'] === 'base64' && !images.includes(mime)) refuse(path, `no image is ${mime}`)
      break
    case 'document':
      if (source['type'] === 'base64' && mime !== 'application/pdf') refuse(path, `no document is ${mime}`)
      break
    default:
  }
}

/** Where thinking is on, a turn that calls tools begins with it. */
function checkThinking(body: JsonObject, messages: readonly JsonObject[], refuse: Refuse): void {
  if (objectIn(body, 'thinking')['type'] !== 'enabled') return
  const last = messages.findLast(({ role }) => role === 'assistant')
  const [first, ...rest] = objectsIn(last?.['content'])
  const isOpen = [first, ...rest].some((block) => block?.['type'] === 'tool_use')
  const isAnswered = objectsIn(messages.at(-1)?.['content']).some(({ type }) => type === 'tool_result')
  if (isOpen && isAnswered && !/thinking/.test(textIn(first ?? {}, 'type') ?? ''))
    refuse('messages', 'expected thinking before tool_use')
}

function checkPrefill(last: JsonObject | undefined, { model, refuse }: Checked): void {
  if (last?.['role'] !== 'assistant') return
  if (newest.test(model)) refuse('messages', 'this model takes no prefill')
  const text = textIn(last, 'content') ?? textIn(objectsIn(last['content']).at(-1) ?? {}, 'text') ?? ''
  if (text !== text.trimEnd()) refuse('messages', 'the last words of the assistant end in white space')
}
