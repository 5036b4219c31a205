import type { Item, ItemKind, Role } from '../core/index.ts'
import { isLosslessForm, isWithoutData } from '../ladders/index.ts'
import type { TraceMessage } from './trace.ts'

/** A message as a strategy sends it. */
export interface RenderedMessage {
  readonly role: Role
  readonly text: string
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

/** What stands in a message for one of its items. */
export interface ShownItem {
  readonly text: string
  readonly tokens: number
}

export interface Renderer {
  count(text: string): number
  /** The message as it was recorded; the same object every time. */
  asRecorded(message: TraceMessage): RenderedMessage
  /** The message with other texts in place of some items; undefined keeps the item. */
  withShown(message: TraceMessage, show: (item: Item) => ShownItem | undefined): RenderedMessage
}

/** Counts every text once. A renderer serves one trace, so that what it remembers stays small. */
export function renderer(count: (text: string) => number): Renderer {
  const counts = new Map<string, number>()
  const recorded = new WeakMap<TraceMessage, RenderedMessage>()

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
      tokens = count(text)
      counts.set(text, tokens)
    }
    return tokens
  }

  function plain(item: Item): ShownItem {
    const name = item.kind === 'tool-call' && item.toolName !== undefined ? item.toolName : ''
    return {
      text: name === '' ? item.text : `${name} ${item.text}`,
      tokens: item.tokens ?? counted(item.text) + counted(name),
    }
  }

  function render(message: TraceMessage, show: (item: Item) => ShownItem | undefined): RenderedMessage {
    const texts: string[] = []
    const written: string[] = []
    const parts: RenderedPart[] = []
    let tokens = 0
    for (const item of message.items) {
      const other = show(item)
      const shown = other ?? plain(item)
      const isForm = other !== undefined && item.kind === 'tool-result' && isFormOf(other.text, item.text)
      texts.push(shown.text)
      written.push(isForm ? item.text : shown.text)
      const part = { kind: item.kind, itemId: item.id, text: other?.text ?? item.text }
      parts.push(isForm ? { ...part, writtenOut: item.text } : part)
      tokens += shown.tokens
    }
    const observation = message.items.some((item) => item.kind === 'tool-result')
    const rendered = { role: message.role, text: texts.join('\n'), tokens, sourceId: message.id, observation, parts }
    return parts.some(({ writtenOut }) => writtenOut !== undefined)
      ? { ...rendered, writtenOut: written.join('\n') }
      : rendered
  }

  return {
    count: counted,
    asRecorded(message) {
      let rendered = recorded.get(message)
      if (rendered === undefined) {
        rendered = render(message, () => undefined)
        recorded.set(message, rendered)
      }
      return rendered
    },
    withShown: render,
  }
}
