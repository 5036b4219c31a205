import type { Role } from './item.ts'
import type { Rung } from './rendition.ts'
import type { Section } from './section.ts'

export const layouts = ['messages', 'payload'] as const
/** The form of a request. `messages` keeps the messages of a conversation. `payload` writes one structured text into the last user message. */
export type Layout = (typeof layouts)[number]

export const payloadMarkups = ['headers', 'xml', 'canonical'] as const
/** How the texts of layout `payload` are written: plain headers, tags, or one text in logical order. */
export type PayloadMarkup = (typeof payloadMarkups)[number]

/** One item as the model will see it. Omitted items have no entry. */
export interface PackEntry {
  readonly itemId: string
  readonly section: Section
  readonly rung: Rung
  readonly text: string
  readonly tokens: number
  readonly handle?: string
}

/** A prompt-cache breakpoint after an entry. */
export interface Breakpoint {
  readonly itemId: string
  readonly ttlMs: number
  /** Where the model is another provider's than the dialect: by whose rules its servers want it marked. */
  readonly by?: 'anthropic'
}

/** A message of a pack that was laid out from sections, not from a conversation. */
export interface PackMessage {
  readonly role: Role
  readonly text: string
  /** Where the pieces end that the text is made of, the last one left out; the pack's hash is made of theirs. */
  readonly cuts?: readonly number[]
}

/**
 * The compiled request, dialect-neutral. With layout `messages` the entries stand in wire order and a codec puts them
 * back where they came from; with layout `payload` the `messages` are the whole request.
 */
export interface Pack {
  readonly layout: Layout
  readonly entries: readonly PackEntry[]
  readonly messages: readonly PackMessage[]
  readonly breakpoints: readonly Breakpoint[]
  readonly tokens: number
  /** Binds entries and messages and can be computed from them; also the pack's id. */
  readonly hash: string
}
