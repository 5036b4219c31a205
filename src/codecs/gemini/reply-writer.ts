import type { ReplyEvent, SaidReply, StopReason, Usage } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'
import { replyWriter } from '../replies/reply-writer.ts'
import type { ReplyFrame, WritingState } from '../replies/reply-writer.ts'
import type { SseEvent } from '../sse.ts'

const finishReasons: { readonly [Reason in StopReason]: string } = {
  'end': 'STOP',
  'stop-sequence': 'STOP',
  'length': 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'refused': 'SAFETY',
  'paused': 'STOP',
}

type SaidCall = SaidReply['calls'][number]

interface Writing extends WritingState {
  /** The call that is being told: it goes out whole. */
  readonly call?: SaidCall | undefined
}

export const geminiReplyWriter = replyWriter<Writing>({
  whole(said, frame) {
    const { text, reasoning, calls, reason, usage } = said
    const words = text === '' && calls.length > 0 ? [] : [{ text }]
    const parts = [...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]), ...words, ...calls.map(callPart)]
    return JSON.stringify(chunkOf({ ...frame, ...named(said) }, parts, { reason, usage }))
  },
  begin: (frame) => ({ frame }),
  step(state, event) {
    const next = stateAfter(state, event)
    return { state: next, events: eventsOf(state, event) }
  },
})

function stateAfter(state: Writing, event: ReplyEvent): Writing {
  switch (event.kind) {
    case 'begin':
      return { ...state, frame: { ...state.frame, ...named(event) } }
    case 'call':
      return { ...state, call: { id: event.id, name: event.name, arguments: '' } }
    case 'arguments':
      return { ...state, call: state.call && { ...state.call, arguments: state.call.arguments + event.text } }
    case 'call-end':
      return { ...state, call: undefined }
    default:
      return state
  }
}

function eventsOf({ frame, call }: Writing, event: ReplyEvent): readonly SseEvent[] {
  switch (event.kind) {
    case 'text':
      return [sse(chunkOf(frame, [{ text: event.text }]))]
    case 'reasoning':
      return [sse(chunkOf(frame, [{ text: event.text, thought: true }]))]
    case 'call-end':
      return call ? [sse(chunkOf(frame, [callPart(call)]))] : []
    case 'end':
      return [sse(chunkOf(frame, [{ text: '' }], event))]
    default:
      return []
  }
}

function named({ id, model }: Pick<SaidReply, 'id' | 'model'>): Partial<ReplyFrame> {
  return { ...optional('id', id), ...optional('model', model) }
}

function callPart({ id, name, arguments: json }: SaidCall): object {
  const value = json === '' ? {} : parseData(json)
  // Arguments are an object here; what is none stands in one, so that the client sees what the model wrote.
  return { functionCall: { id, name, args: isJsonObject(value) ? value : { INVALID_JSON: json } } }
}

interface Ending {
  readonly reason: StopReason
  readonly usage?: Usage | undefined
}

function chunkOf({ id, model, createdMs }: ReplyFrame, parts: readonly object[], end?: Ending): object {
  const content = { role: 'model', parts }
  return {
    candidates: [{ content, ...(end && { finishReason: finishReasons[end.reason] }), index: 0 }],
    ...optional('usageMetadata', end?.usage && usageOf(end.usage)),
    modelVersion: model,
    createTime: new Date(createdMs).toISOString(),
    responseId: id,
  }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens, reasoningTokens }: Usage): object {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: inputTokens + outputTokens,
    ...optional('cachedContentTokenCount', cacheReadTokens),
    ...optional('thoughtsTokenCount', reasoningTokens),
  }
}

function sse(chunk: object): SseEvent {
  return { data: JSON.stringify(chunk) }
}
