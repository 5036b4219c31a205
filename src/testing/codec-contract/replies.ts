// Replies as JSON bodies and as the streams in which providers send them.
import type { Dialect } from '../../core/index.ts'
import type { SseEvent } from '../../codecs/index.ts'
import type { PlainReply, WrittenReply } from './plain-reply.ts'
import type { Draw } from './draw.ts'
import { chance, pick, text } from './draw.ts'
import { geminiReply } from './gemini-replies.ts'
import { responsesReply } from './responses-replies.ts'

/** The reply as the provider's JSON body, and as its stream, cut by `cut` into pieces. */
export function writeReply(
  dialect: Dialect,
  reply: PlainReply,
  cut: (words: string) => readonly string[],
): WrittenReply {
  if (dialect === 'gemini') return geminiReply(reply, cut)
  if (dialect === 'openai-responses') return responsesReply(reply, cut)
  return dialect === 'openai-chat' ? openaiReply(reply, cut) : anthropicReply(reply, cut)
}

export function plainReply(draw: Draw, id: number, names: readonly string[]): PlainReply {
  const calls = names.map((name, index) => {
    return { id: `call_${id}_${index}`, name, arguments: pick(draw, '{}', '{"a":1.0}', '{"q":"\\u00e9\\n"}') }
  })
  const stop = calls.length > 0 ? 'calls' : pick(draw, 'end' as const, 'length' as const)
  return {
    id: `reply_${id}`,
    reasoning: chance(draw, 3) ? text(draw) : '',
    texts: [...Array(draw.whole(2)).keys()].map(() => text(draw)),
    calls,
    stop,
    input: draw.whole(1000),
    cached: draw.whole(1000),
    output: draw.whole(1000),
  }
}

/** Cuts words at random, never dropping any. */
export function cutter(draw: Draw): (words: string) => readonly string[] {
  return (words) => {
    const at = draw.whole(words.length)
    return [words.slice(0, at), words.slice(at)].filter((piece, index) => piece !== '' || index === 0)
  }
}

function event(data: { readonly type: string }): SseEvent {
  return { event: data.type, data: JSON.stringify(data) }
}

const anthropicStops = { end: 'end_turn', calls: 'tool_use', length: 'max_tokens' } as const

function anthropicReply(reply: PlainReply, cut: (words: string) => readonly string[]): WrittenReply {
  const blocks = [
    ...(reply.reasoning === '' ? [] : [{ type: 'thinking', thinking: reply.reasoning, signature: 'c2ln+/==' }]),
    ...reply.texts.map((words) => ({ type: 'text', text: words })),
  ]
  const usage = { input_tokens: reply.input, cache_read_input_tokens: reply.cached, cache_creation_input_tokens: 0 }
  const head = { id: reply.id, type: 'message', role: 'assistant', model: 'claude' }
  const calls = reply.calls.map((call) => {
    return `{"type":"tool_use","id":"${call.id}","name":"${call.name}","input":${call.arguments}}`
  })
  const content = [...blocks.map((block) => JSON.stringify(block)), ...calls].join(',')
  const stop = { stop_reason: anthropicStops[reply.stop], stop_sequence: null }
  const tail = JSON.stringify({ ...stop, usage: { ...usage, output_tokens: reply.output } }).slice(1)
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } }
  return {
    body: `${JSON.stringify(head).slice(0, -1)},"content":[${content}],${tail}`,
    events: [
      event({ type: 'message_start', message: start } as { type: string }),
      ...blocks.flatMap((block, index) => blockEvents(block, index, cut)),
      ...reply.calls.flatMap((call, index) => callEvents(call, blocks.length + index, cut)),
      event({ type: 'message_delta', delta: stop, usage: { output_tokens: reply.output } } as { type: string }),
      event({ type: 'message_stop' }),
    ],
  }
}

type Block = { readonly type: string; readonly text?: string; readonly thinking?: string; readonly signature?: string }

function blockEvents(block: Block, index: number, cut: (words: string) => readonly string[]): readonly SseEvent[] {
  const isText = block.type === 'text'
  const empty = isText ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' }
  const words = block.text ?? block.thinking ?? ''
  const deltas = [
    ...cut(words).map((piece) =>
      isText ? { type: 'text_delta', text: piece } : { type: 'thinking_delta', thinking: piece },
    ),
    ...(isText ? [] : [{ type: 'signature_delta', signature: block.signature }]),
  ]
  return wrapBlock(index, empty, deltas)
}

function callEvents(
  call: PlainReply['calls'][number],
  index: number,
  cut: (words: string) => readonly string[],
): readonly SseEvent[] {
  const deltas = ['', ...cut(call.arguments)].map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  return wrapBlock(index, { type: 'tool_use', id: call.id, name: call.name, input: {} }, deltas)
}

function wrapBlock(index: number, block: object, deltas: readonly object[]): readonly SseEvent[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ].map(event)
}

const openaiStops = { end: 'stop', calls: 'tool_calls', length: 'length' } as const

function openaiReply(reply: PlainReply, cut: (words: string) => readonly string[]): WrittenReply {
  const words = reply.texts.join('')
  const usage = {
    prompt_tokens: reply.input + reply.cached,
    completion_tokens: reply.output,
    total_tokens: reply.input + reply.cached + reply.output,
    prompt_tokens_details: { cached_tokens: reply.cached },
  }
  const calls = reply.calls.map((call) => {
    return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
  })
  const message = {
    role: 'assistant',
    content: words === '' ? null : words,
    ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const stop = openaiStops[reply.stop]
  const head = { id: reply.id, created: 1, model: 'gpt' }
  const chunk = (delta: object, finish_reason: string | null = null): SseEvent => {
    const choices = [{ index: 0, delta, finish_reason }]
    return { data: JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, usage: null }) }
  }
  return {
    body: JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: stop }],
      usage,
    }),
    events: [
      chunk({ role: 'assistant', content: words === '' ? null : '' }),
      ...(reply.reasoning === '' ? [] : cut(reply.reasoning).map((piece) => chunk({ reasoning_content: piece }))),
      ...(words === '' ? [] : cut(words).map((piece) => chunk({ content: piece }))),
      ...calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }),
        ...cut(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, stop),
      { data: JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage }) },
      { data: '[DONE]' },
    ],
  }
}
