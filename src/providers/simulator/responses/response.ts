import type { JsonObject } from '../../../core/index.ts'
import type { Chunk, Completion, SimulatedCall } from '../dialect.ts'
import { argumentsText, inputText, isTextTool, refusalText } from '../openai/reply.ts'
import { slicesOf, wordsOf } from '../pieces.ts'
import { objectOf } from '../read-json.ts'
import { sseEvent } from '../sse.ts'
import { chatBody } from './chat-form.ts'

/** An item of a response, as it begins, as it is told and as it ends. */
interface SaidItem {
  readonly begun: JsonObject
  readonly item: JsonObject
  readonly events: readonly Told[]
}

interface Told {
  readonly event: JsonObject & { readonly type: string }
  readonly tokens: number
}

export function responseOf(completion: Completion): JsonObject {
  return envelope(
    completion,
    saidItems(completion).map(({ item }) => item),
  )
}

/** The events of a streamed response, each with its number. */
export function responseEvents(completion: Completion): readonly Chunk[] {
  const items = saidItems(completion)
  const begun = {
    ...envelope(completion, []),
    status: 'in_progress',
    completed_at: null,
    incomplete_details: null,
    usage: null,
  }
  const whole = envelope(
    completion,
    items.map(({ item }) => item),
  )
  const told: readonly Told[] = [
    { event: { type: 'response.created', response: begun }, tokens: 0 },
    { event: { type: 'response.in_progress', response: begun }, tokens: 0 },
    ...items.flatMap(itemEvents),
    { event: { type: `response.${String(whole['status'])}`, response: whole }, tokens: 0 },
  ]
  return told.map(({ event, tokens }, sequence_number) => ({
    data: sseEvent({ ...event, sequence_number }, event.type),
    tokens,
  }))
}

function itemEvents({ begun, item, events }: SaidItem, output_index: number): readonly Told[] {
  const all: readonly Told[] = [
    { event: { type: 'response.output_item.added', item: begun }, tokens: 0 },
    ...events,
    { event: { type: 'response.output_item.done', item }, tokens: 0 },
  ]
  return all.map(({ event, tokens }) => ({ event: { ...event, output_index }, tokens }))
}

function envelope(completion: Completion, output: readonly JsonObject[]): JsonObject {
  const { id, createdMs, call, stop, usage, thinkingTokens } = completion
  const isCut = stop === 'length' || stop === 'context-window'
  return {
    id,
    object: 'response',
    created_at: Math.floor(createdMs / 1000),
    completed_at: isCut ? null : Math.floor(createdMs / 1000),
    status: isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    model: call.model.id,
    output,
    ...askedBack(call),
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: {
        cached_tokens: usage.cacheReadTokens ?? 0,
        cache_write_tokens: usage.cacheWriteTokens ?? 0,
      },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: thinkingTokens },
      total_tokens: usage.inputTokens + usage.outputTokens,
      ...completion.bill,
    },
  }
}

/** A response repeats how it was asked for, with what holds where the request is silent. */
function askedBack({ body, model }: SimulatedCall): JsonObject {
  const asked = Object.entries(repeated).map(([name, usual]) => [name, body[name] ?? usual] as const)
  const effort = model.provider === 'openai' && model.openai.reasoning ? 'medium' : null
  return {
    ...Object.fromEntries(asked),
    reasoning: { effort, summary: null, ...objectOf(body['reasoning']) },
    text: { format: { type: 'text' }, verbosity: 'medium', ...objectOf(body['text']) },
  }
}

const repeated: JsonObject = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** Reasoning is told by an item that only the provider can read. */
function saidItems({ id, parts, stop, call }: Completion): readonly SaidItem[] {
  const count = (text: string): number => call.count(call.model.id, text)
  const offer = chatBody(call.body)
  const said = parts.map((part, index): SaidItem => {
    const name = `${id}_${index}`
    if (part.type === 'thinking')
      return reasoningItem(`rs_${name}`, asksForReasoning(call.body) ? part.text : undefined)
    if (part.type === 'text') return messageItem(`msg_${name}`, part.text, { count, form: 'text' })
    const called = { call_id: part.id ?? '', name: part.name }
    return isTextTool(offer, part.name)
      ? callItem({ form: 'text', said: inputText(part), item: { id: `ctc_${name}`, ...called }, count })
      : callItem({ form: 'function', said: argumentsText(part), item: { id: `fc_${name}`, ...called }, count })
  })
  return stop === 'refusal'
    ? [...said, messageItem(`msg_${id}_refusal`, refusalText, { count, form: 'refusal' })]
    : said
}

/** What only the provider can read comes to those who ask for it; others name it, and it is kept for them. */
function asksForReasoning({ include }: JsonObject): boolean {
  return Array.isArray(include) && include.includes('reasoning.encrypted_content')
}

function reasoningItem(id: string, text: string | undefined): SaidItem {
  const item = { id, type: 'reasoning', summary: [] }
  if (text === undefined) return { begun: item, item, events: [] }
  const secret = Buffer.from(text).toString('base64')
  return { begun: { ...item, encrypted_content: '' }, item: { ...item, encrypted_content: secret }, events: [] }
}

/** By what it is: how a message's part is written, whole and in pieces. */
const wordForms = {
  text: {
    type: 'response.output_text',
    member: 'text',
    more: { logprobs: [] },
    part: { type: 'output_text', annotations: [], logprobs: [] },
  },
  refusal: { type: 'response.refusal', member: 'refusal', more: {}, part: { type: 'refusal' } },
} as const

interface Worded {
  readonly form: keyof typeof wordForms
  count(text: string): number
}

function messageItem(id: string, text: string, { form, count }: Worded): SaidItem {
  const frame = { id, type: 'message', role: 'assistant' }
  const { type, member, more, part: empty } = wordForms[form]
  const part = { ...empty, [member]: text }
  const at = { item_id: id, content_index: 0 }
  const deltas = wordsOf(text).map((delta) => ({
    event: { type: `${type}.delta`, ...at, delta, ...more },
    tokens: count(delta),
  }))
  const begins = { type: 'response.content_part.added', ...at, part: { ...empty, [member]: '' } }
  const ends = [
    { type: `${type}.done`, ...at, [member]: text, ...more },
    { type: 'response.content_part.done', ...at, part },
  ]
  return {
    begun: { ...frame, status: 'in_progress', content: [] },
    item: { ...frame, status: 'completed', content: [part] },
    events: [{ event: begins, tokens: 0 }, ...deltas, ...ends.map((event) => ({ event, tokens: 0 }))],
  }
}

/** By what its tool takes: what a call is, and what of it is told in pieces. */
const callForms = {
  function: { type: 'function_call', member: 'arguments', told: 'function_call_arguments' },
  text: { type: 'custom_tool_call', member: 'input', told: 'custom_tool_call_input' },
} as const

interface Called {
  readonly form: keyof typeof callForms
  readonly said: string
  readonly item: JsonObject & { readonly id: string }
  count(text: string): number
}

function callItem({ form, said, item: called, count }: Called): SaidItem {
  const { type, member, told } = callForms[form]
  const frame = { ...called, type }
  const at = { item_id: called.id }
  const deltas = slicesOf(said, 16).map((delta) => ({
    event: { type: `response.${told}.delta`, ...at, delta },
    tokens: count(delta),
  }))
  const name = form === 'function' ? { name: called['name'] ?? '' } : {}
  return {
    begun: { ...frame, [member]: '', status: 'in_progress' },
    item: { ...frame, [member]: said, status: 'completed' },
    events: [...deltas, { event: { type: `response.${told}.done`, ...at, ...name, [member]: said }, tokens: 0 }],
  }
}
