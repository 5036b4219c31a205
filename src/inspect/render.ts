import { itemTokens, perObject } from '../core/index.ts'
import type { Item, ItemKind, Role } from '../core/index.ts'
import { isLosslessForm, isWithoutData } from '../ladders/index.ts'
import type { Overhead } from '../sessions/index.ts'
import { bareOverhead, shapeOf } from './counting.ts'
import type { Counting } from './counting.ts'
import type { TraceMessage, TraceRequest } from './trace.ts'

/** A message as a strategy sends it. */
export interface RenderedMessage {
  readonly role: Role
  readonly text: string
  /** With the frames of the message, its calls and its results. */
  readonly tokens: number
  /** Id of the recorded message that it shows; empty for what the strategy adds itself. */
  readonly sourceId: string
  /** Whether tool output stands in it. */
  readonly observation: boolean
  /** What stands in it, item by item. */
  readonly parts: readonly RenderedPart[]
  /** The text with what stands in a form that loses nothing written out; absent where that is the text. */
  readonly writtenOut?: string
}

export interface RenderedPart {
  readonly kind: ItemKind
  readonly text: string
  /** The item's own text, where `text` says all of it in another form. */
  readonly writtenOut?: string
  /** Absent for what the strategy adds itself. */
  readonly itemId?: string
}

export interface Renderer {
  count(text: string): number
  readonly overhead: Overhead
  /** The message as it was recorded; the same object every time. */
  asRecorded(message: TraceMessage): RenderedMessage
  /** The message with other texts in place of some items; undefined keeps the item. */
  withShown(message: TraceMessage, show: (item: Item) => string | undefined): RenderedMessage
  /** What a model writes for a message, frames left out. */
  writtenTokens(message: TraceMessage): number
  /** What is sent for a request, with what the request costs by itself at its first message. */
  framed(request: TraceRequest, sent: readonly RenderedMessage[]): readonly RenderedMessage[]
}

/** Counts every text once. A renderer serves one trace, so that what it remembers stays small. */
export function renderer(counting: Counting): Renderer {
  const counts = new Map<string, number>()
  const counter = { ...counting, count: counted }
  const { overhead = bareOverhead(counted) } = counting
  const noneTokens = overhead({ messages: [], items: [], tools: [] })
  const forms = new Map<string, boolean>()

  function isFormOf(shown: string, text: string): boolean {
    const key = `${text}\0${shown}`
    const known = forms.get(key) ?? (isLosslessForm(shown, text) || isWithoutData(shown, text))
    forms.set(key, known)
    return known
  }

  function counted(text: string): number {
    let tokens = counts.get(text)
    if (tokens === undefined) {
      tokens = counting.count(text)
      counts.set(text, tokens)
    }
    return tokens
  }

  function render(message: TraceMessage, show: (item: Item) => string | undefined): RenderedMessage {
    const texts: string[] = []
    const written: string[] = []
    const parts: RenderedPart[] = []
    let tokens = overhead({ ...shapeOf([message]), tools: [] }) - noneTokens
    for (const item of message.items) {
      const other = show(item)
      const shown = other ?? withName(item)
      const isForm = other !== undefined && item.kind === 'tool-result' && isFormOf(other, item.text)
      texts.push(shown)
      written.push(isForm ? item.text : shown)
      const part = { kind: item.kind, itemId: item.id, text: other ?? item.text }
      parts.push(isForm ? { ...part, writtenOut: item.text } : part)
      tokens += itemTokens(counter, item, other)
    }
    const observation = message.items.some((item) => item.kind === 'tool-result')
    const rendered = { role: message.role, text: texts.join('\n'), tokens, sourceId: message.id, observation, parts }
    return parts.some(({ writtenOut }) => writtenOut !== undefined)
      ? { ...rendered, writtenOut: written.join('\n') }
      : rendered
  }

  return {
    count: counted,
    overhead,
    asRecorded: perObject((message: TraceMessage) => render(message, () => undefined)),
    withShown: render,
    writtenTokens: ({ items }) => items.reduce((tokens, item) => tokens + counted(withName(item)), 0),
    framed: framing(overhead),
  }
}

function framing(overhead: Overhead): Renderer['framed'] {
  const firsts = new WeakMap<RenderedMessage, RenderedMessage>()
  return ({ messages }, sent) => {
    const [first, ...others] = sent
    const tokens = overhead({ messages: [], items: [], tools: shapeOf(messages.slice(0, 1)).tools })
    if (first === undefined || tokens === 0) return sent
    const framed = firsts.get(first) ?? { ...first, tokens: first.tokens + tokens }
    firsts.set(first, framed)
    return [framed, ...others]
  }
}

function withName({ kind, toolName = '', text }: Item): string {
  return kind === 'tool-call' && toolName !== '' ? `${toolName} ${text}` : text
}
