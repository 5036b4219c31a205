import type {
  Citation,
  Conversation,
  Dialect,
  EncodeView,
  WireExchange,
  HiddenTurn,
  HiddenTurnPart,
  JsonObject,
  JsonTree,
  InsertionPart,
  OverlayPart,
  PrehendError,
  ModelReply,
  ToolCall,
  ToolResult,
  WireRequest,
} from '../core/index.ts'
import type { CallPlaces } from './calls/call-places.ts'
import type { Unlisting } from './calls/unlist-tools.ts'
import type { NameRule } from './crossing-names.ts'
import type { ReplyReader } from './replies/reply-reader.ts'
import type { ReplyWriter } from './replies/reply-writer.ts'
import type { StreamReducer } from './stream-reducer.ts'
import type { LeaveReasoning } from './reasoning/foreign-reasoning.ts'
import type { ReplyPart } from './reasoning/reasoning-chain.ts'
import type { TextPlaces } from './text-places.ts'
import type { SseEvent } from './sse.ts'
import type { WriteView, WrittenRequest } from './write-request.ts'

/** Names of tools of ours, whose calls never reach the client. */
export type HiddenToolNames = ReadonlySet<string>

/** One finished upstream stream. */
export interface StreamEnd {
  /** The whole upstream reply, our own calls included. */
  readonly reply: ModelReply
  /** Finished calls of our own tools: answer them. Empty when a call was cut off. */
  readonly hiddenCalls: readonly ToolCall[]
  /**
   * True when the reply called our tools only: terminal events are held back; send a second request and `resume`,
   * or give up with `finish`. False when the client already has its terminal events.
   */
  readonly mustContinue: boolean
}

export interface SpliceStep {
  readonly state: SpliceState
  /** What the client gets now, at once. */
  readonly forward: readonly SseEvent[]
  /** Present on the step at which an upstream stream ended. */
  readonly end?: StreamEnd
}

/** State of a splicer: a value; only the named members are for others to read. */
export interface SpliceState {
  /** Terminal events are held back, see `StreamEnd.mustContinue`. */
  readonly held: boolean
}

/**
 * Joins several upstream streams into the one that the client reads, without calls of our own tools: everything else is
 * forwarded at once, block and call indices run on, ids stay those of the first, usage is that of the last, which is the size
 * of the client's context, and exactly one terminal sequence is sent. Pure and never throws.
 */
export interface StreamSplicer {
  /** The state before the first upstream stream. */
  begin(hiddenTools: HiddenToolNames): SpliceState
  /** Takes the next event of an upstream stream, and gives the events for the client. */
  step(state: SpliceState, event: SseEvent): SpliceStep
  /** The upstream connection closed; ends a stream that came without its last event, as some servers do, or was cut. */
  close(state: SpliceState): SpliceStep
  /** The same client stream, to be fed from the next upstream stream. */
  resume(state: SpliceState): SpliceState
  /** From the next event on, until told otherwise, calls of these tools are ours; of the calls before, none may be open. */
  hiding(state: SpliceState, hiddenTools: HiddenToolNames): SpliceState
  /** Ends the client's stream with what was held back, when no further upstream stream is to come. */
  finish(state: SpliceState): readonly SseEvent[]
}

/** One upstream reply and our answers to the calls of our own tools in it. */
export interface HiddenReply {
  readonly reply: ModelReply
  readonly results: readonly ToolResult[]
  /** Whether the provider keeps the reply, and knows what it only names. */
  readonly isKept?: boolean
  /** Names of the tools of which the client sees no call in it, where these are not our own tools only. */
  readonly hidden?: HiddenToolNames
}

/** One client request and all upstream replies that made up its answer. */
export interface FinishedTurn {
  /** The client's body as it came, before `restore`. */
  readonly body: string
  /** Replies that called our tools only, in order. */
  readonly rounds: readonly HiddenReply[]
  /** The last reply; with results if it called our tools beside the client's. */
  readonly last: HiddenReply
  readonly hiddenTools: HiddenToolNames
}

/** What is known of a client's body into which an overlay is to be put back. */
export interface Restoring {
  /** The exchange that was decoded from this very body; it spares a scan. */
  readonly received?: WireExchange | undefined
  /** Whether a turn may stand where the body has the message of this index; anywhere by default. */
  readonly belongs?: ((part: HiddenTurnPart, index: number) => boolean) | undefined
}

/** A client's body with an overlay in it. */
export interface Restored {
  readonly body: string
  /** The parts that are in it. */
  readonly placed: readonly OverlayPart[]
  /** Turns whose message is there, but not so that it could be told or opened; the others have gone with theirs. */
  readonly lost: readonly HiddenTurnPart[]
}

/** What a route is for: a conversation, the count of one, or something that goes through as it is. */
export type RouteKind = 'messages' | 'count-tokens' | 'plain'

export interface DialectRoute {
  readonly method: 'DELETE' | 'GET' | 'POST'
  /** `{name}` stands for a part that differs, as in `/v1/models/{id}`. */
  readonly path: string
  readonly kind: RouteKind
}

/** A list of models as a dialect writes it. */
export interface ModelList {
  /** The member that holds them. */
  readonly member: string
  /** What a model is known by, in one of these members of it. */
  readonly name: string
  /** Whether another page follows. */
  hasMore(list: JsonObject): boolean
  /** A model of this name. */
  entry(name: string): JsonObject
}

/** By what a request is told to be of a dialect. */
export interface DialectSigns {
  /** Whose dialect it is: where its requests go unless somebody says otherwise. */
  readonly provider: string
  readonly routes: readonly DialectRoute[]
  /** How its list of models is written; absent where it has none of its own. */
  readonly modelList?: ModelList
  /** Beginnings of paths that no other dialect has. */
  readonly roots?: readonly string[]
  /** In lower case: a header that its clients alone send. */
  readonly header?: string
  /** What that header says in requests that are written anew. */
  readonly headerValue?: string
  /** In lower case: the header in which its clients send their key, where others send theirs elsewhere. */
  readonly credential?: string
  /** 0: a body could be of any dialect; 1: it names one of the provider's models; 2: no other has such members. */
  likeness(body: JsonObject): 0 | 1 | 2
}

/** Usage in a dialect whose streams report it only on request. */
export interface StreamUsage {
  /** Whether the client has asked for it. */
  isWanted(exchange: WireExchange): boolean
  /** The body with that request added. */
  asked(body: string): string
  /** Whether an event of a stream holds usage and nothing else. Cheap. */
  isAlone(event: SseEvent): boolean
}

/**
 * Everything Prehend knows of one wire dialect. Bodies are texts: `decode` finds what is in them, `encode` splices what
 * has changed and copies the rest as bytes. All functions are pure; bad input throws `PrehendError`.
 */
export interface Codec {
  readonly dialect: Dialect
  readonly signs: DialectSigns
  /** The header by which its providers name a request, and its clients read the name; `x-request-id` where absent. */
  readonly requestIdHeader?: string
  /** Messages that `previous` already holds, byte for byte, are not read again: their items are the same objects. */
  decode(request: WireRequest, previous?: WireExchange): WireExchange
  /** Where every item is shown as the wire has it and nothing is to add or remove, the result is the body itself. */
  encode(exchange: WireExchange, view: EncodeView): string
  /**
   * The exchange with all that has changed in its conversation: what `decode` reads of its encoded body, which is not put together for it.
   * `previous` as in `decode`: the last exchange with its own changes. Where absent, the body is encoded and decoded.
   */
  apply?(exchange: WireExchange, previous?: WireExchange): WireExchange
  /** The raw JSON of an item's place in the body, e.g. an image block whose size has to be read. */
  rawItem(exchange: WireExchange, itemId: string): string | undefined
  /** The body with its functions in the order of `names`, which has each of them once; all else stays. */
  orderTools(exchange: WireExchange, names: readonly string[]): string
  /** The body with fewer functions, others behind them, and its calls written as others. */
  unlistTools(exchange: WireExchange, unlisting: Unlisting): string
  /** Where the bytes of a media item are: its URL, or its data as a `data:` URL. */
  mediaUrl(exchange: WireExchange, itemId: string): string | undefined
  /** The body without the reasoning that a provider of this dialect has not written; absent where all of them read it. */
  readonly leaveReasoning?: LeaveReasoning
  /** What clients of the dialect may be given for the id of a call; anything where absent. */
  readonly callIds?: NameRule
  /** Members of a body that a conversation holds; `a.b` where of `a` it holds only some. */
  readonly carried: ReadonlySet<string>
  /** Of them, those that say how much the model is to think; held where the conversation says it. */
  readonly reasoningMembers?: ReadonlySet<string>
  /** Where a request refers to what only its provider keeps; undefined where it does nowhere. */
  elsewhere?(exchange: WireExchange): string | undefined
  /** How a stream is asked to report usage; every stream of the dialect does where absent. */
  readonly streamUsage?: StreamUsage
  /** A whole body of this dialect from a conversation alone, whatever dialect it came in; throws what none could hold. */
  write(conversation: Conversation, view?: WriteView): WrittenRequest
  /** The model that a path names, where the dialect has it there and not in the body. */
  modelNamedIn?(path: string): string | undefined
  /** A path with the name of another model in it, where the dialect has it there and not in the body. */
  renamedPath?(path: string, model: string): string
  /**
   * The body that has a provider read the same prompt from its cache and answer nothing, so that it stays there; undefined where
   * it takes that from no such request. Absent where no provider of the dialect does that.
   */
  refreshBody?(body: string): string | undefined
  /** Where a body that was written anew is to be sent. */
  pathTo(conversation: Pick<Conversation, 'model' | 'stream'>): string
  /** Reads a whole reply. */
  decodeReply(body: string): ModelReply
  /** What a whole reply says was used, at less work than to decode it. Never throws: what is no reply says nothing. */
  usageOf(body: string): ModelReply['usage']
  /** Reads a streamed reply, event by event. */
  reducer(): StreamReducer
  /** Joins the replies of several hidden rounds into one stream. */
  splicer(): StreamSplicer
  /** Where calls of functions stand in requests and replies. */
  readonly calls: CallPlaces
  /** Whether an event of a stream may begin a call; where absent, no call of its streams can be held back. Cheap. */
  mayBeginCall?(event: SseEvent): boolean
  /** Splits a reply's calls; `mustContinue` as in `StreamEnd`. */
  endOf(reply: ModelReply, hiddenTools: HiddenToolNames): StreamEnd
  /**
   * One JSON reply out of the replies of one client request, without calls of our own tools; usage is that of the last, and so
   * is the id where the provider keeps replies by it.
   */
  mergeReplies(bodies: readonly string[], hiddenTools: HiddenToolNames): string
  /** Raw messages to append to a request so that the model gets our answers: the assistant's message, then results. */
  hiddenMessages(hidden: HiddenReply): readonly string[]
  /** The record of a finished client turn in which something was hidden; undefined when nothing was. */
  hiddenTurn(turn: FinishedTurn): HiddenTurn | undefined
  /** What an encode of this view adds to the client's conversation: what `restore` puts into its next body. */
  overlayOf(exchange: WireExchange, view: EncodeView): readonly InsertionPart[]
  /**
   * Puts an overlay back where it belongs in a client's body; call it before `decode`, so that what we added is items like
   * any other. A turn stands at the message that makes its calls, or says the same; the words of a message may come back
   * joined, trimmed or left out, and its reasoning left out. Parts whose messages are no longer there are left out.
   */
  restore(body: string, overlay: readonly OverlayPart[], known?: Restoring): Restored
  readonly textPlaces: TextPlaces
  /** Replies of this dialect in words of none, and words of none in replies of this dialect. */
  readonly replyReader: ReplyReader
  readonly replyWriter: ReplyWriter
  /** What a reply's `message` consists of, in order, as far as it is reasoning or not. */
  replyParts(message: JsonTree): readonly ReplyPart[]
  /** What a whole reply cites. Never throws. */
  citations(body: JsonObject): readonly Citation[]
  /** The answer to a request that asks for no more than a count of its tokens; absent where none does. */
  tokenCount?(tokens: number): string
  /** The body of an error response. */
  encodeError(error: PrehendError, requestId: string): string
  /** The events that end a stream with an error. */
  encodeStreamError(error: PrehendError, requestId: string): readonly SseEvent[]
}
