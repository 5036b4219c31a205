import { describe, expect, it } from 'vitest'
import type { JsonObject, ReplyEvent } from '../../core/index.ts'
import { codecFor, crossRequest, readingTextCalls, saidReply } from '../index.ts'
import { noText, restOfText, textIn } from './text-argument.ts'

const text = '*** Begin Patch\n+say("ü 👋", \'\\n\')\t\u2028\n*** End Patch'

function read(pieces: readonly string[]): string {
  let state = noText
  let told = ''
  for (const piece of pieces) {
    const step = textIn(state, piece)
    state = step.state
    told += step.text
    if (!step.text.isWellFormed()) throw new Error(`half a character: ${JSON.stringify(step.text)}`)
  }
  return told + restOfText(state)
}

const escaped = text.replaceAll(/./gsu, (mark) =>
  [...mark].flatMap((one) => Array.from({ length: one.length }, (_, at) => unit(one.charCodeAt(at)))).join(''),
)

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

describe('the text in the arguments of a function', () => {
  it.each([
    ['as JSON writes it', JSON.stringify({ input: text })],
    ['with white space around', ` {\n "input" :\t${JSON.stringify(text)} }\n`],
    ['all of it escaped', `{"input":"${escaped}"}`],
    ['with members after it', JSON.stringify({ input: text, more: { input: 'x' } })],
    ['with members before it', JSON.stringify({ why: 1, input: text })],
    ['under another name', JSON.stringify({ patch: text })],
    ['as a string alone', JSON.stringify(text)],
    ['with line ends that no JSON has', `{"input":"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"}`],
  ])('%s, wherever it is cut', (_, json) => {
    for (let first = 0; first <= json.length; first += 1)
      for (const second of [first, first + 1, first + 5, json.length])
        expect(read([json.slice(0, first), json.slice(first, second), json.slice(second)])).toBe(text)
    expect(read([...json])).toBe(text)
  })

  it('is as far told as it has come where it is cut off', () => {
    const json = JSON.stringify({ input: 'a\n👋b' })
    expect(read([json.slice(0, -4)])).toBe('a\n')
    expect(read([json.slice(0, -3)])).toBe('a\n👋')
    expect(read(['{"input":"a\\'])).toBe('a')
    expect(read(['{"input":"a\\ud83d'])).toBe('a')
    let state = textIn(noText, '{"input":"a\\ud83d').state
    expect(textIn(state, 'b"}').text).toBe('\ud83db')
    state = textIn(noText, '{"input":"a\ud83d').state
    expect(textIn(state, 'b"}').text).toBe('\ud83db')
  })

  it('is what came where that is no such object', () => {
    for (const json of ['', '*** patch', '{"inp', '{"a":"1","b":"2"}', '{"input":{"a":1}}', '[1]'])
      expect(read([...json])).toBe(json)
    expect(read(['{}'])).toBe('')
  })

  it('takes time by its length alone', () => {
    const json = JSON.stringify({ input: `${'\\'.repeat(100_000)}${'👋'.repeat(100_000)}` })
    expect(read([...json]).length).toBe(300_000)
    expect(read([' '.repeat(200_000), ...' '.repeat(2000), '{}'])).toBe('')
  })
})

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' }
const patch = { type: 'custom', name: 'patch', description: 'Patches files. Do not wrap the patch in JSON.' }
const body = {
  model: 'some-model',
  input: [
    { role: 'user', content: 'Patch it.' },
    { type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '{"a":1}' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' },
  ],
  tools: [{ ...patch, format: grammar }],
  tool_choice: { type: 'custom', name: 'patch' },
}
const responses = codecFor('openai-responses')
const chat = codecFor('openai-chat')

function crossed(to: 'openai-chat' | 'anthropic-messages' | 'gemini', sent: JsonObject = body) {
  const { body: written, lost } = crossRequest(
    responses,
    codecFor(to),
    responses.decode({ body: JSON.stringify(sent) }),
  )
  return { json: JSON.parse(written), written, lost }
}

describe('a tool that takes a text', () => {
  const schema = {
    type: 'object',
    properties: { input: { type: 'string' } },
    required: ['input'],
    additionalProperties: false,
  }

  it.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)('is a function to %s', (to) => {
    const { written, lost } = crossed(to)
    const { conversation } = codecFor(to).decode({ path: '/v1beta/models/m:generateContent', body: written })
    const [tool] = conversation.tools
    expect(tool).toMatchObject({ name: 'patch', schema })
    expect(tool?.description).toContain(patch.description)
    expect(tool?.description).toContain('string `input`')
    expect(tool?.description).toContain(grammar.definition)
    expect(lost).toEqual([
      expect.objectContaining({ kind: 'tool', what: 'patch', why: expect.stringContaining('grammar') }),
    ])
    const call = conversation.items.find(({ kind }) => kind === 'tool-call')
    expect(JSON.parse(call!.text)).toEqual({ input: '{"a":1}' })
    expect(conversation.items.find(({ kind }) => kind === 'tool-result')?.text).toBe('done')
    expect(conversation.sampling.toolChoice).toEqual({ name: 'patch' })
  })

  it('without a grammar is nothing lost', () => {
    expect(crossed('anthropic-messages', { ...body, tools: [patch] }).lost).toEqual([])
  })

  it('is what it was between the dialects that have such tools', () => {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } }
    const { name, description } = patch
    const sent = {
      model: 'some-model',
      messages: [
        { role: 'user', content: 'Patch it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name, input: '*** a' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
      tools: [{ type: 'custom', custom: { name, description, format } }],
      tool_choice: { type: 'custom', custom: { name } },
    }
    const exchange = chat.decode({ body: JSON.stringify(sent) })
    const there = crossRequest(chat, responses, exchange)
    expect(there.lost).toEqual([])
    expect(JSON.parse(there.body)).toMatchObject({
      tools: [{ ...patch, format: { type: 'grammar', ...format.grammar } }],
      tool_choice: { type: 'custom', name },
      input: [
        { role: 'user' },
        { type: 'custom_tool_call', call_id: 'c', name, input: '*** a' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
      ],
    })
    expect(JSON.parse(chat.write(exchange.conversation).body)).toMatchObject(sent)
  })

  it('that is not offered any more leaves calls as they were read', () => {
    const { json, lost } = crossed('anthropic-messages', { ...body, tools: [], tool_choice: 'auto' })
    expect(json.messages[1].content).toEqual([expect.objectContaining({ type: 'tool_use', input: { a: 1 } })])
    expect(lost).toEqual([])
  })

  it('is read out of replies, and other calls are not', () => {
    const block = (name: string, input: object) => ({ type: 'tool_use', id: name, name, input })
    const message = {
      type: 'message',
      role: 'assistant',
      content: [block('patch', { input: text }), block('read', { input: text })],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    const { replyReader } = codecFor('anthropic-messages')
    const said = (reader: typeof replyReader): readonly ReplyEvent[] => reader.whole(JSON.stringify(message))
    const reader = readingTextCalls(replyReader, { textTools: [{ name: 'patch', description: '' }] })
    expect(saidReply(said(reader)).calls).toEqual([
      { id: 'patch', name: 'patch', arguments: text, isText: true },
      { id: 'read', name: 'read', arguments: JSON.stringify({ input: text }) },
    ])
    expect(readingTextCalls(replyReader, {})).toBe(replyReader)
  })
})
