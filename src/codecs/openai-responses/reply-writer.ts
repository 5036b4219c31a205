import type { ReplyEvent, SaidReply, StopReason, Usage } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { replyWriter } from '../replies/reply-writer.ts'
import type { ReplyFrame, WritingState } from '../replies/reply-writer.ts'
import type { SseEvent } from '../sse.ts'
import type { OpenItem, ToldEvent } from './said-items.ts'
import { begunItem, doneItem, openItem, pieceOf, wholeItem } from './said-items.ts'

/** Why a response is not complete, where it is not. */
const incomplete: { readonly [Reason in StopReason]?: string } = {
  length: 'max_output_tokens',
  refused: 'content_filter',
}

interface Writing extends WritingState {
  /** The model that was asked, whose the reasoning is. */
  readonly owner: string
  /** Of the next event. */
  readonly number: number
  /** Items that have been told whole. */
  readonly items: readonly object[]
  readonly open?: OpenItem | undefined
}

interface Step {
  readonly state: Writing
  readonly events: readonly SseEvent[]
}

/** Reasoning is told as its summary, which is what clients show of it. */
export const responsesReplyWriter = replyWriter<Writing>({
  whole(said, frame) {
    const own = { ...frame, ...optional('id', said.id), ...optional('model', said.model) }
    const items = wholeItems(said, frame.model).map((item, index) => wholeItem(item, nameOf(own, index)))
    return JSON.stringify(responseOf(own, items, said))
  },
  begin: (frame) => ({ frame, owner: frame.model, number: 0, items: [] }),
  step: written,
})

function wholeItems({ reasoning, text, calls }: SaidReply, owner: string): readonly OpenItem[] {
  return [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning, owner } as const]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...calls.map(({ arguments: words, ...call }) => ({ kind: 'call', ...call, text: words }) as const),
  ]
}

function written(state: Writing, event: ReplyEvent): Step {
  switch (event.kind) {
    case 'begin':
      return begun({
        ...state,
        frame: { ...state.frame, ...optional('id', event.id), ...optional('model', event.model) },
      })
    case 'text':
    case 'reasoning':
      return piece(state.open?.kind === event.kind ? { state, events: [] } : opened(state, event.kind), event.text)
    case 'call':
      return opened(state, {
        id: event.id,
        name: event.name,
        ...optional('namespace', event.namespace),
        ...optional('isText', event.isText),
      })
    case 'arguments':
      return state.open?.kind === 'call' ? piece({ state, events: [] }, event.text) : { state, events: [] }
    case 'call-end':
      return closed(state)
    case 'end':
      return ended(closed(state), event)
    default:
      return { state, events: [] }
  }
}

function begun(state: Writing): Step {
  const response = { ...responseOf(state.frame, [], { reason: 'end' }), status: 'in_progress' }
  return told({ state, events: [] }, [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ])
}

function opened(before: Writing, what: Parameters<typeof openItem>[0]): Step {
  const step = closed(before)
  const open = openItem(what, before.owner)
  return told({ ...step, state: { ...step.state, open } }, placed(step.state, begunItem(open, nameNow(step.state))))
}

function piece({ state, events }: Step, text: string): Step {
  const { open } = state
  if (open === undefined) return { state, events }
  const next = { ...state, open: { ...open, text: open.text + text } }
  return told({ state: next, events }, placed(state, [pieceOf(open, nameNow(state), text)]))
}

function closed(state: Writing): Step {
  const { open } = state
  if (open === undefined) return { state, events: [] }
  const item = wholeItem(open, nameNow(state))
  const step = told({ state, events: [] }, placed(state, doneItem(open, nameNow(state))))
  return { ...step, state: { ...step.state, items: [...state.items, item], open: undefined } }
}

function ended(step: Step, event: Extract<ReplyEvent, { kind: 'end' }>): Step {
  const { frame, items } = step.state
  const response = responseOf(frame, items, event)
  return told(step, [{ type: `response.${response.status}`, response }])
}

function placed({ items }: Writing, events: readonly ToldEvent[]): readonly ToldEvent[] {
  return events.map((event) => ({ ...event, output_index: items.length }))
}

/** The same step with more events, each with its number. */
function told({ state, events }: Step, more: readonly ToldEvent[]): Step {
  const numbered = more.map(({ type, ...members }, index): SseEvent => {
    const data = { type, ...members, sequence_number: state.number + index }
    return { event: type, data: JSON.stringify(data) }
  })
  return { state: { ...state, number: state.number + more.length }, events: [...events, ...numbered] }
}

function nameNow({ frame, items }: Writing): string {
  return nameOf(frame, items.length)
}

function nameOf({ id }: ReplyFrame, index: number): string {
  return `${id}_${index}`
}

interface Ended {
  readonly reason: StopReason
  readonly usage?: Usage
}

function responseOf({ id, model, createdMs }: ReplyFrame, output: readonly object[], { reason, usage }: Ended) {
  const why = incomplete[reason]
  return {
    id,
    object: 'response',
    created_at: Math.floor(createdMs / 1000),
    status: why === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: why === undefined ? null : { reason: why },
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: usage === undefined ? null : usageOf(usage),
  }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
