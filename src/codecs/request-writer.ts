import type { Breakpoint, WireExchange, Item, JsonNode, JsonTree, PackMessage, ToolDefinition } from '../core/index.ts'
import type { WireParts } from './decode-request.ts'
import type { CallPlaces } from './calls/call-places.ts'
import type { RequestReader } from './request-reader.ts'
import type { ItemPath } from './item-place.ts'
import { nodeOfPath, parsePlace } from './item-place.ts'
import type { Edit } from './splice.ts'

/** An item's place in the body. */
export interface ItemPlace {
  readonly path: ItemPath
  readonly node: JsonNode
}

/** The part of the body that carries an item's text, and what may stand there. */
export interface TextPlace {
  readonly node: JsonNode
  /** `words`: a string holding the text. `json`: an object that the text spells out. */
  readonly form: 'words' | 'json'
  /** For words where an object has to stand: its only member. */
  readonly under?: string
}

/** Media that is shown as words, or by what was made of it and words beside it. */
export interface ShownMedia {
  readonly itemId: string
  readonly place: ItemPlace
  readonly text: string
  /** As a `data:` URL. */
  readonly made?: string
}

/** What differs between dialects when a request is encoded. */
export interface RequestWriter {
  textPlace(tree: JsonTree, place: ItemPlace): TextPlace | undefined
  /**
   * The edits of an encode, those that show media as words among them; `edits` are those of other texts. Undefined where no words may
   * stand in the place of one of them.
   */
  showMedia(tree: JsonTree, media: readonly ShownMedia[], edits: readonly Edit[]): readonly Edit[] | undefined
  /** The edits that put other bytes, given as a `data:` URL, into a block of media; undefined where it has none. */
  mediaBytes(tree: JsonTree, block: JsonNode, url: string): readonly Edit[] | undefined
  /** The edits that mark a block as the end of a cached prefix, or undefined where no marker may stand. */
  mark(tree: JsonTree, place: ItemPlace, breakpoint: Omit<Breakpoint, 'itemId'>): readonly Edit[] | undefined
  /** Most markers that a request may carry. */
  readonly mostMarkers: number
  /** Whether the caller has taken caching into its own hands, so that no such markers may join its own. */
  ownsCaching(exchange: WireExchange, tree: JsonTree, breakpoints: readonly Breakpoint[]): boolean
  /** The edit that adds a definition to the tools, which are there. */
  toolEdit(tree: JsonTree, tools: JsonNode, tool: ToolDefinition): Edit
  /** The edits that replace the conversation by the messages of a laid-out pack; `media` are raw blocks that go with them. */
  layOut(tree: JsonTree, messages: readonly PackMessage[], media: readonly string[]): readonly Edit[]
  /** Whether a conversation may begin with this role once messages before it are gone. */
  mayBegin(role: string): boolean
  /** The raw message that says a text of ours, or undefined where no message of the dialect has this role. */
  spoken(role: Item['role'], text: string): string | undefined
  /** The raw message that shows an item so that the model cites it; absent, or undefined, where it cannot. */
  cited?(exchange: WireExchange, item: Item): string | undefined
  /** Whether a message of ours may come right after one of this role, and before one of the next, if there is any. */
  mayFollow(role: string, next: string | undefined): boolean
  /** The edits by which a message stands, as the user's, between those that are left around it; none where it may stand as it is. */
  between?(tree: JsonTree, message: JsonNode, around: Around): readonly Edit[]
  /** Looks at what is left out beyond calls and results; throws where the provider would refuse the rest. */
  requireWhole?(showing: Showing, kept: (place: string) => boolean): void
  /** The parts of the message that says what stands as words alone in the place of messages. */
  readonly aroundWords?: readonly [before: string, after: string]
}

/** Roles of the messages before and behind a message; undefined where there is none. */
export interface Around {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What is known of a dialect where a request of it is encoded. */
export interface RequestDialect {
  readonly reader: RequestReader
  readonly writer: RequestWriter
  readonly calls: CallPlaces
}

/** What an encode shows, in the order in which the model reads it. */
export interface ShownEntry {
  readonly itemId: string
  readonly text: string
  readonly section: string
}

/** A message of ours that stands between two of the body. */
export interface Insertion {
  readonly itemId: string
  /** The message of the body before which it stands; their number for the end. */
  readonly index: number
  readonly raw: string
  readonly item: Item | undefined
  readonly text: string
}

/** All that the edits of one encode are made from. */
export interface Showing extends WireParts {
  readonly writer: RequestWriter
  readonly exchange: WireExchange
  readonly list: readonly ShownEntry[]
  readonly entries: ReadonlyMap<string, ShownEntry>
  /** Indexes of items that are shown otherwise than the body has them. */
  readonly changed: readonly number[]
  /** Indexes of items that are not shown. */
  readonly omitted: readonly number[]
  /** What is known of items that may have no place in the body. */
  readonly added: ReadonlyMap<string, Item>
  /** What was made of media, by item. */
  readonly made: ReadonlyMap<string, string>
  /** Entries that have no place in the body. */
  readonly insertions: readonly Insertion[]
}

export function placeOf({ tree, shape }: Pick<WireParts, 'tree' | 'shape'>, place: string): ItemPlace | undefined {
  const path = parsePlace(place)
  const node = path === undefined ? undefined : nodeOfPath(tree, shape, path)
  return path === undefined || node === undefined ? undefined : { path, node }
}
