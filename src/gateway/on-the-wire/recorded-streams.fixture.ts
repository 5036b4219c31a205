import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

/** A stream of a provider, event by event as it came, with the oddities of real servers. */
export interface RecordedStream {
  readonly name: string
  readonly dialect: DialectFixture
  readonly frames: readonly string[]
  /** How many of the frames make a whole answer. */
  readonly wholeAfter: number
}

const chunk = (choices: string): string => `{"id":"c1","model":"m",${choices}}`
const choice = (delta: string, finish = 'null', index = 0): string =>
  `{"index":${index},"delta":${delta},"finish_reason":${finish}}`

const openaiFrames: readonly string[] = [
  ': routed\n\n',
  `data: ${chunk(`"choices":[${choice('{"role":"assistant","content":""}')}]`)}\n\n`,
  `data:${chunk(`"choices" : [ ${choice('{"content":"Grüße, "}')} ]`)}\r\n\r\n`,
  ': ping\n',
  `id: 7\nretry: 10\ndata: ${chunk(`"choices":[${choice('{"content":"\\"error\\": none"}')}],"usage":null`)}\n\n`,
  `data: ${chunk(`"choices":[${choice('{}', '"stop"')}]`)}\r\r`,
  `data: ${chunk('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}')}\n\n`,
  'data: [DONE]\n\n',
]

const event = (type: string, members = ''): string => `event: ${type}\ndata: {"type":"${type}"${members}}\n\n`

const anthropicFrames: readonly string[] = [
  event(
    'message_start',
    ',"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}',
  ),
  event('content_block_start', ',"index":0,"content_block":{"type":"text","text":""}'),
  event('ping').replaceAll('\n', '\r\n'),
  ': note\n\n',
  event('content_block_delta', ', "index" : 0, "delta": {"type":"text_delta","text":"Grüße, "}'),
  'event:content_block_delta\ndata:{"type":"content_block_delta","index":0,\ndata:"delta":{"type":"text_delta","text":"\\"error\\""}}\n\n',
  event('content_block_stop', ',"index":0'),
  event('message_delta', ',"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}'),
  event('message_stop').replaceAll('\n', '\r\n'),
]

export const recordedStreams: readonly RecordedStream[] = [
  { name: 'openai-chat', dialect: openaiFixture, frames: openaiFrames, wholeAfter: 6 },
  {
    name: 'anthropic-messages',
    dialect: anthropicFixture,
    frames: anthropicFrames,
    wholeAfter: anthropicFrames.length,
  },
]

/** A client whose dialect has its conversation in another member than `messages`. */
const responsesFixture: DialectFixture = {
  ...openaiFixture,
  name: 'openai-responses',
  path: '/v1/responses',
  body: (_results, more) => ({
    model: 'gpt-5.1',
    tools: [{ type: 'function', name: 'read', parameters: {} }],
    ...more,
    input: 'Find the value.',
    messages: [],
  }),
}

const geminiFixture: DialectFixture = {
  ...openaiFixture,
  name: 'gemini',
  path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
  headers: { 'x-goog-api-key': 'key' },
  body: (_results, more = {}) => {
    const { stream: _stream, ...own } = more
    const tools = [{ functionDeclarations: [{ name: 'read', parameters: { type: 'object' } }] }]
    return { tools, ...own, contents: [{ role: 'user', parts: [{ text: 'Find the value.' }] }], messages: [] }
  },
}

const responseEvent = (number: number, type: string, members: string): string =>
  `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${members}}\n\n`
const responseText = '{"type":"output_text","text":"Grüße","annotations":[]}'
const responseItem = (status: string, content: string): string =>
  `{"id":"msg_1","type":"message","role":"assistant","status":"${status}","content":[${content}]}`
const responseOf = (status: string, output: string): string =>
  `"response":{"id":"resp_1","object":"response","model":"m","status":"${status}","output":[${output}]}`

const responsesFrames: readonly string[] = [
  responseEvent(0, 'response.created', responseOf('in_progress', '')),
  responseEvent(1, 'response.output_item.added', `"output_index":0,"item":${responseItem('in_progress', '')}`),
  responseEvent(
    2,
    'response.output_text.delta',
    '"output_index":0,"content_index":0,"item_id":"msg_1","delta":"Grüße"',
  ),
  responseEvent(3, 'response.output_item.done', `"output_index":0,"item":${responseItem('completed', responseText)}`),
  responseEvent(4, 'response.completed', responseOf('completed', responseItem('completed', responseText))),
]

const geminiChunk = (text: string, more = ''): string =>
  `data: {"candidates": [{"content": {"parts": [{"text": "${text}"}],"role": "model"}${more},"index": 0}],"usageMetadata": {"promptTokenCount": 9}}\r\n\r\n`

const geminiFrames: readonly string[] = [
  geminiChunk('Grüße, '),
  geminiChunk('\\"error\\": none'),
  geminiChunk('.', ',"finishReason": "STOP"'),
]

/** Dialects whose answers are whole with their last event, and whose errors have forms of their own. */
export const otherStreams: readonly RecordedStream[] = [
  { name: 'openai-responses', dialect: responsesFixture, frames: responsesFrames, wholeAfter: responsesFrames.length },
  { name: 'gemini', dialect: geminiFixture, frames: geminiFrames, wholeAfter: geminiFrames.length },
]

/** Two answers to one question, of which the second ends later. */
export const twoChoices: RecordedStream = {
  name: 'openai-chat, two choices',
  dialect: openaiFixture,
  frames: [
    `data: ${chunk(`"choices":[${choice('{"role":"assistant","content":"a"}')}]`)}\n\n`,
    `data: ${chunk(`"choices":[${choice('{"role":"assistant","content":"b"}', 'null', 1)}]`)}\n\n`,
    `data: ${chunk(`"choices":[${choice('{}', '"stop"')}]`)}\n\n`,
    `data: ${chunk(`"choices":[${choice('{"content":"c"}', 'null', 1)}]`)}\n\n`,
    `data: ${chunk(`"choices":[${choice('{}', '"length"', 1)}]`)}\n\n`,
    'data: [DONE]\n\n',
  ],
  wholeAfter: 5,
}

/** What a model says that only looks something up. */
export const fetching: Readonly<Record<string, string>> = {
  'openai-chat': [
    `data: ${chunk(`"choices":[${choice('{"role":"assistant","tool_calls":[{"index":0,"id":"h","type":"function","function":{"name":"rehydrate","arguments":"{}"}}]}')}]`)}\n\n`,
    `data: ${chunk(`"choices":[${choice('{}', '"tool_calls"')}]`)}\n\n`,
    'data: [DONE]\n\n',
  ].join(''),
  'anthropic-messages': [
    ...anthropicFrames.slice(0, 1),
    event(
      'content_block_start',
      ',"index":0,"content_block":{"type":"tool_use","id":"h","name":"rehydrate","input":{}}',
    ),
    event('content_block_stop', ',"index":0'),
    event('message_delta', ',"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}'),
    event('message_stop'),
  ].join(''),
}

/** A way in which a gateway passes a stream on. */
export interface Passage {
  readonly name: string
  readonly config: GatewayConfigInput
  readonly more: Record<string, unknown>
}

export const passages: readonly Passage[] = [
  { name: 'on, tool offered', config: {}, more: {} },
  { name: 'on, no tools', config: {}, more: { tools: undefined } },
  { name: 'observe', config: { mode: 'observe' }, more: {} },
  { name: 'off', config: { mode: 'off' }, more: {} },
]
