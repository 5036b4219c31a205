import type { SaidCall } from '../../core/index.ts'
import { ownerMark } from '../reasoning/owner.ts'

/** An item of a response that is being written, and what it says so far. */
export type OpenItem =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly owner: string }
  | ({ readonly kind: 'call' } & CallHead & { readonly text: string })

type CallHead = Omit<SaidCall, 'arguments'>

/** The data of an event. */
export interface ToldEvent {
  readonly type: string
  readonly [member: string]: unknown
}

export function openItem(what: 'text' | 'reasoning' | CallHead, owner: string): OpenItem {
  if (what === 'reasoning') return { kind: what, text: '', owner }
  return what === 'text' ? { kind: what, text: '' } : { kind: 'call', ...what, text: '' }
}

/** By a name that no other item of the response has. */
export function wholeItem(item: OpenItem, name: string): object {
  const status = 'completed'
  switch (item.kind) {
    case 'text':
      return { ...frameOf(item, name), status, content: [textPart(item.text)] }
    case 'reasoning':
      return { ...frameOf(item, name), summary: [summaryPart(item.text)], encrypted_content: ownerMark(item.owner) }
    case 'call':
      return { ...frameOf(item, name), [item.isText ? 'input' : 'arguments']: item.text, status }
  }
}

function frameOf(item: OpenItem, name: string): object {
  const id = idOf(item, name)
  switch (item.kind) {
    case 'text':
      return { id, type: 'message', role: 'assistant' }
    case 'reasoning':
      return { id, type: 'reasoning' }
    case 'call':
      return {
        id,
        type: item.isText ? 'custom_tool_call' : 'function_call',
        call_id: item.id,
        name: item.name,
        ...(item.namespace !== undefined && { namespace: item.namespace }),
      }
  }
}

function idOf(item: OpenItem, name: string): string {
  const kind = item.kind === 'call' && item.isText ? 'textCall' : item.kind
  return `${{ text: 'msg', reasoning: 'rs', call: 'fc', textCall: 'ctc' }[kind]}_${name}`
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function summaryPart(text: string): object {
  return { type: 'summary_text', text }
}

/** The events with which an item begins. */
export function begunItem(item: OpenItem, name: string): readonly ToldEvent[] {
  const type = 'response.output_item.added'
  const frame = frameOf(item, name)
  const at = placeIn(item, name)
  switch (item.kind) {
    case 'text':
      return [
        { type, item: { ...frame, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...at, part: textPart('') },
      ]
    case 'reasoning':
      return [
        { type, item: { ...frame, summary: [] } },
        { type: 'response.reasoning_summary_part.added', ...at, part: summaryPart('') },
      ]
    case 'call':
      return [{ type, item: { ...frame, [item.isText ? 'input' : 'arguments']: '', status: 'in_progress' } }]
  }
}

export function pieceOf(item: OpenItem, name: string, delta: string): ToldEvent {
  const at = placeIn(item, name)
  switch (item.kind) {
    case 'text':
      return { type: 'response.output_text.delta', ...at, delta, logprobs: [] }
    case 'reasoning':
      return { type: 'response.reasoning_summary_text.delta', ...at, delta }
    case 'call':
      return {
        type: `response.${item.isText ? 'custom_tool_call_input' : 'function_call_arguments'}.delta`,
        ...at,
        delta,
      }
  }
}

/** The events with which it ends. */
export function doneItem(item: OpenItem, name: string): readonly ToldEvent[] {
  const { text } = item
  const at = placeIn(item, name)
  const done = { type: 'response.output_item.done', item: wholeItem(item, name) }
  switch (item.kind) {
    case 'text':
      return [
        { type: 'response.output_text.done', ...at, text, logprobs: [] },
        { type: 'response.content_part.done', ...at, part: textPart(text) },
        done,
      ]
    case 'reasoning':
      return [
        { type: 'response.reasoning_summary_text.done', ...at, text },
        { type: 'response.reasoning_summary_part.done', ...at, part: summaryPart(text) },
        done,
      ]
    case 'call':
      return item.isText
        ? [{ type: 'response.custom_tool_call_input.done', ...at, input: text }, done]
        : [{ type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: text }, done]
  }
}

function placeIn(item: OpenItem, name: string): object {
  const id = { item_id: idOf(item, name) }
  if (item.kind === 'call') return id
  return item.kind === 'text' ? { ...id, content_index: 0 } : { ...id, summary_index: 0 }
}
