import type { ReplyEvent, SaidCall, SaidReply, StopReason, Usage } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { replyWriter } from '../replies/reply-writer.ts'
import type { ReplyFrame, WritingState } from '../replies/reply-writer.ts'
import type { SseEvent } from '../sse.ts'

const finishReasons: { readonly [Reason in StopReason]: string } = {
  'end': 'stop',
  'stop-sequence': 'stop',
  'length': 'length',
  'tool-calls': 'tool_calls',
  'refused': 'content_filter',
  'paused': 'stop',
}

interface Writing extends WritingState {
  /** The index of the call that is being told, and of the next. */
  readonly call: number
  /** Whether it is of a tool that takes a text. */
  readonly isText?: boolean
}

/** Reasoning stands in `reasoning_content`, as the servers of this dialect write it. */
export const openaiReplyWriter = replyWriter<Writing>({
  whole(said, frame) {
    const { text, reasoning, calls, reason, usage } = said
    const toolCalls = calls.map(({ arguments: words, ...call }) => callBegun(call, words))
    const message = {
      role: 'assistant',
      content: text === '' && toolCalls.length > 0 ? null : text,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      refusal: null,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    }
    const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[reason] }
    return JSON.stringify({
      ...headOf(frame, said),
      object: 'chat.completion',
      choices: [choice],
      ...optional('usage', usage && usageOf(usage)),
    })
  },
  begin: (frame) => ({ frame, call: -1 }),
  step: (state, event) => {
    const call = event.kind === 'call' ? state.call + 1 : state.call
    const frame =
      event.kind === 'begin'
        ? { ...state.frame, ...optional('id', event.id), ...optional('model', event.model) }
        : state.frame
    const isText = event.kind === 'call' ? event.isText === true : state.isText === true
    const next = { frame, call, isText }
    return { state: next, events: chunksOf(next, event) }
  },
})

function chunksOf(state: Writing, event: ReplyEvent): readonly SseEvent[] {
  switch (event.kind) {
    case 'begin':
      return [chunk(state, { role: 'assistant', content: '' })]
    case 'text':
      return [chunk(state, { content: event.text })]
    case 'reasoning':
      return [chunk(state, { reasoning_content: event.text })]
    case 'call':
      return [chunk(state, { tool_calls: [{ index: state.call, ...callBegun(event, '') }] })]
    case 'arguments': {
      const { text } = event
      const piece = state.isText === true ? { custom: { input: text } } : { function: { arguments: text } }
      return [chunk(state, { tool_calls: [{ index: state.call, ...piece }] })]
    }
    case 'end':
      return endOf(state, event)
    default:
      return []
  }
}

function callBegun({ id, name, isText }: Pick<SaidCall, 'id' | 'name' | 'isText'>, words: string): object {
  return isText === true
    ? { id, type: 'custom', custom: { name, input: words } }
    : { id, type: 'function', function: { name, arguments: words } }
}

function endOf(state: Writing, { reason, usage }: Extract<ReplyEvent, { kind: 'end' }>): readonly SseEvent[] {
  const told = usage !== undefined && state.frame.tellsUsage !== false
  const last = { ...headOf(state.frame), object: 'chat.completion.chunk', choices: [] }
  return [
    chunk(state, {}, finishReasons[reason]),
    ...(told ? [{ data: JSON.stringify({ ...last, usage: usageOf(usage) }) }] : []),
    { data: '[DONE]' },
  ]
}

function chunk({ frame }: Writing, delta: object, finish: string | null = null): SseEvent {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finish }
  return { data: JSON.stringify({ ...headOf(frame), object: 'chat.completion.chunk', choices: [choice] }) }
}

function headOf({ id, model, createdMs }: ReplyFrame, said: Pick<SaidReply, 'id' | 'model'> = {}): object {
  return { id: said.id ?? id, created: Math.floor(createdMs / 1000), model: said.model ?? model }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
