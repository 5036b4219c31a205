import type { ItemLink } from './item-links.ts'
import type { Media } from './media.ts'
import type { Authority, Section, Trust } from './section.ts'

export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const
/** The role in whose name an item stands in a conversation. */
export type Role = (typeof roles)[number]

export const itemKinds = [
  'instruction',
  'text',
  'tool-call',
  'tool-result',
  'tool-schema',
  'reasoning',
  'evidence',
  'memory',
  'media',
  'opaque',
] as const
/** What an item is on the wire or in the store; ladders are chosen by it. */
export type ItemKind = (typeof itemKinds)[number]

export const itemStatuses = ['ok', 'error'] as const
/** How a tool's call ended. */
export type ItemStatus = (typeof itemStatuses)[number]

/** How long an item is of use. */
export const itemLives = ['turn'] as const
export type ItemLife = (typeof itemLives)[number]

/** Where an item came from. Evidence without a source is refused. */
export interface Provenance {
  readonly sourceId: string
  readonly uri?: string
  /** What it is called where it is cited. */
  readonly title?: string
  /** ISO-8601; supplied by the caller, never read from a clock. */
  readonly retrievedAt?: string
  readonly authorityScore?: number
  readonly relevanceScore?: number
  /** Start and end offset of the chunk inside its source. */
  readonly span?: readonly [start: number, end: number]
  /** The subquery or strategy that produced it. */
  readonly lineage?: string
}

/** Scores in [0, 1]; absent means unknown, never 0. */
export interface Scores {
  readonly relevance?: number
  readonly authority?: number
  readonly freshness?: number
  readonly utility?: number
  /** How sure whoever found or remembers it is. */
  readonly confidence?: number
  /** What policies with scorer `attention` add up: expected use, expected news, feeling, haste. */
  readonly pragmatic?: number
  readonly epistemic?: number
  readonly affective?: number
  readonly urgency?: number
}

/**
 * The smallest thing that is included or left out. `text` is what the model would read at full resolution;
 * for `media` and `opaque` items it may be empty and `tokens` carries their cost.
 */
export interface Item {
  /** Unique within one compile. */
  readonly id: string
  readonly section: Section
  readonly kind: ItemKind
  readonly text: string
  readonly role?: Role
  readonly authority?: Authority
  readonly trust?: Trust
  readonly provenance?: Provenance
  readonly scores?: Scores
  /** The turn (request of the session) in which the item first appeared. */
  readonly birthTurn?: number
  /** What is learnt about items like it goes by this name; by its section where there is none. */
  readonly category?: string
  /** Pinned items are shown in full, always. */
  readonly pin?: boolean
  /** Items that share a group are included or left out together. */
  readonly group?: string
  /** For tool calls, results and schemas. */
  readonly toolName?: string
  readonly toolCallId?: string
  /** The namespace of the tool, in dialects that call a tool by two names. */
  readonly toolNamespace?: string
  /**
   * What an item of a form that only its provider reads says in plain words, for the other providers. Absent where it is sealed, or
   * signed for its provider.
   */
  readonly words?: string
  /** The model that wrote reasoning, where that is known. */
  readonly reasonedBy?: string
  readonly status?: ItemStatus
  /** Exact cost in tokens, where the text alone does not tell it (images, opaque blocks). */
  readonly tokens?: number
  /** What is known of a `media` item; it tells what the item costs where `tokens` does not. */
  readonly media?: Media
  /** What it was made of, other items of the same compile: the transcript of a recording, the text of a scan. */
  readonly links?: readonly ItemLink[]
  /** Bytes of this item must not change for protocol reasons (signed reasoning, cached blocks of unknown type). */
  readonly frozen?: boolean
  /** Whether a model that can is to cite it by its origin. */
  readonly citable?: boolean
  /** Found for one turn of the user: it may leave, behind its handle, once the next has begun. It stays for the session where absent. */
  readonly lasts?: ItemLife
  /** How much each word of `text` (a run without white space) is worth to a reader, one hexadecimal digit a word; by its words alone where absent. */
  readonly wordWeights?: string
  /** The step or agent that it is private to; packs of others leave it out. Of layout `payload`. */
  readonly scope?: string
}
