import type { ReplyEvent, SaidReply, StopReason, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { ownerMark } from '../reasoning/owner.ts'
import { replyWriter } from '../replies/reply-writer.ts'
import type { ReplyFrame, WritingState } from '../replies/reply-writer.ts'
import { parseData } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'

const stopReasonNames: { readonly [Reason in StopReason]: string } = {
  'end': 'end_turn',
  'stop-sequence': 'stop_sequence',
  'length': 'max_tokens',
  'tool-calls': 'tool_use',
  'refused': 'refusal',
  'paused': 'pause_turn',
}

interface Writing extends WritingState {
  /** The index of the next block, and what the one before is where it has not ended. */
  readonly next: number
  readonly open?: 'text' | 'reasoning' | 'call' | undefined
}

type Written = { readonly state: Writing; readonly events: readonly SseEvent[] }

export const anthropicReplyWriter = replyWriter<Writing>({
  whole(said, frame) {
    const { text, reasoning, calls, usage } = said
    const content = [
      ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: ownerMark(frame.model) }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call.arguments) })),
    ]
    return JSON.stringify({ ...headOf(frame, said), content, ...stopOf(said), usage: usageOf(usage) })
  },
  begin: (frame) => ({ frame, next: 0 }),
  step: (state, event) => told(state, event),
})

function told(state: Writing, event: ReplyEvent): Written {
  switch (event.kind) {
    case 'begin': {
      const message = {
        ...headOf(state.frame, event),
        content: [],
        ...unstopped,
        usage: usageOf(estimated(state.frame)),
      }
      return { state, events: [sse('message_start', { message })] }
    }
    case 'text':
      return piece(state, 'text', { type: 'text_delta', text: event.text })
    case 'reasoning':
      return piece(state, 'reasoning', { type: 'thinking_delta', thinking: event.text })
    case 'call': {
      const { id, name } = event
      return opened(state, 'call', { type: 'tool_use', id, name, input: {} })
    }
    case 'arguments':
      return { state, events: [delta(state, { type: 'input_json_delta', partial_json: event.text })] }
    case 'call-end':
      return closed(state)
    case 'end': {
      const { state: last, events } = closed(state)
      const end = sse('message_delta', { delta: stopOf(event), usage: usageOf(event.usage ?? estimated(state.frame)) })
      return { state: last, events: [...events, end, sse('message_stop', {})] }
    }
    default:
      return { state, events: [] }
  }
}

const begun = {
  text: { type: 'text', text: '' },
  reasoning: { type: 'thinking', thinking: '', signature: '' },
} as const

function piece(state: Writing, kind: 'text' | 'reasoning', said: object): Written {
  const { state: now, events } = state.open === kind ? { state, events: [] } : opened(state, kind, begun[kind])
  return { state: now, events: [...events, delta(now, said)] }
}

function opened(state: Writing, kind: NonNullable<Writing['open']>, block: object): Written {
  const { state: before, events } = closed(state)
  const start = sse('content_block_start', { index: before.next, content_block: block })
  return { state: { ...before, next: before.next + 1, open: kind }, events: [...events, start] }
}

function closed(state: Writing): Written {
  if (state.open === undefined) return { state, events: [] }
  const signature = { type: 'signature_delta', signature: ownerMark(state.frame.model) }
  const signed = state.open === 'reasoning' ? [delta(state, signature)] : []
  const stop = sse('content_block_stop', { index: state.next - 1 })
  return { state: { ...state, open: undefined }, events: [...signed, stop] }
}

function delta({ next }: Writing, said: object): SseEvent {
  return sse('content_block_delta', { index: next - 1, delta: said })
}

function sse(type: string, members: object): SseEvent {
  return { event: type, data: JSON.stringify({ type, ...members }) }
}

function headOf({ id, model }: ReplyFrame, said: Pick<SaidReply, 'id' | 'model'>): object {
  return { id: said.id ?? id, type: 'message', role: 'assistant', model: said.model ?? model }
}

const unstopped = { stop_reason: null, stop_sequence: null } as const

function stopOf({ reason, stopSequence }: Pick<SaidReply, 'reason' | 'stopSequence'>): object {
  return { stop_reason: stopReasonNames[reason], stop_sequence: stopSequence ?? null }
}

/** Input is an object here; what is none stands in one, so that the client sees what the model wrote. */
function inputOf(json: string): unknown {
  const value = json === '' ? {} : parseData(json)
  return isJsonObject(value) ? value : { INVALID_JSON: json }
}

/** Until the provider has told what it counted. */
function estimated({ countInput }: ReplyFrame): Usage | undefined {
  return countInput === undefined ? undefined : { inputTokens: countInput(), outputTokens: 0 }
}

function usageOf(usage: Usage | undefined): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
