import type {
  CacheMarker,
  Conversation,
  Dialect,
  Item,
  Role,
  ProviderEditing,
  Sampling,
  TextTool,
  ToolDefinition,
  Wire,
  WireRequest,
} from '../core/index.ts'
import { decodeString, present } from '../core/index.ts'
import type { BodyShape } from './body-shape.ts'
import type { Field } from './read-field.ts'
import { child, optionalBoolean, requiredString } from './read-field.ts'

/** A tool call that stands in the body, and the group that it shares with its result. */
export interface CallRecord {
  readonly id: string
  readonly name: string
  readonly group: string
  /** 1 for the first call of this id. */
  readonly use: number
}

/** What a reader finds in a tool definition, a message or the system prompt. Ids of items are their places, see `item-place.ts`. */
export interface PartReading {
  readonly items: readonly Item[]
  readonly markers: readonly CacheMarker[]
}

/** What a conversation knows of a tool beside its text. */
export interface ToolFacts {
  /** Absent for tools that the provider runs or that have no schema. */
  readonly definition?: ToolDefinition
  /** Of a tool that takes a text. */
  readonly textTool?: TextTool
}

export interface ToolReading extends PartReading, ToolFacts {}

export interface MessageReading extends PartReading {
  readonly role: Role
  readonly name?: string
  readonly calls: readonly CallRecord[]
  /** Of a message that brings tools. */
  readonly tools?: readonly ToolFacts[]
}

/** What a message reader knows of the messages before. */
export interface MessageContext {
  /** The place of the message. */
  readonly id: string
  /** Replies of the assistant before the one that this belongs to, or before this. */
  readonly turn: number
  /** The last message that a user wrote; its text is section `query`. */
  readonly isQuery: boolean
  /** Latest call under each id. */
  readonly calls: ReadonlyMap<string, CallRecord>
  /** Ids of calls whose results have not come. */
  readonly unanswered: ReadonlySet<string>
}

/** Whom a request asks, and whether for a stream. */
export type Target = Pick<Conversation, 'model' | 'models' | 'stream'>

/** The target of a request that names it in its body. */
export function targetInBody(_: Pick<WireRequest, 'path'>, body: Field): Target {
  const others = othersIn(body)
  const first = child(body, 'model') === undefined ? others[0] : undefined
  const model = first ?? requiredString(body, 'model')
  const stream = optionalBoolean(body, 'stream') ?? false
  return others.length === 0 ? { model, stream } : { model, models: [...new Set([model, ...others])], stream }
}

/** Routers ask these where `model` fails, or the first of them where there is no `model`. */
function othersIn({ tree, node }: Field): readonly string[] {
  const list = present(tree, node, 'models')
  if (list?.kind !== 'array') return []
  return list.children.flatMap((name) => (name.kind === 'string' ? [decodeString(tree, name)] : []))
}

/** What differs between dialects when a request is decoded. */
export interface RequestReader {
  readonly dialect: Dialect
  /** Where a request of the dialect goes. */
  readonly path: string
  readonly shape: BodyShape
  target(request: Pick<WireRequest, 'path'>, body: Field): Target
  readTool(field: Field, id: string): ToolReading
  readSystem(body: Field): PartReading | undefined
  /** The list of messages, or the words of the user alone; undefined where there need be none. */
  messages(body: Field): Field | undefined
  readMessage(field: Field, context: MessageContext): MessageReading
  /** Whether a user wrote (part of) this message, tool results excluded. */
  isUserAuthored(field: Field): boolean
  /** Whether a tool of ours may join the tools in use, given the list that it would join. */
  acceptsTool(body: Field, tools: Field): boolean
  /** Whether a request without tools may be given some; asked where it has none. */
  acceptsFirstTool(body: Field): boolean
  /** The most tools that a request may have; absent where nobody has heard of a bound. */
  readonly mostTools?: number
  /** Whether a single answer is asked for; several could call our tools each for itself. */
  asksForOne(body: Field): boolean
  /** A marker that stands on the body itself, for the whole prompt. */
  bodyMarker(body: Field): number | undefined
  /** What the provider keeps, in dialects in which it does. */
  kept?(body: Field): Pick<Wire, 'continues' | 'isKept' | 'unplanned'>
  cacheKey(body: Field): string | undefined
  maxOutputTokens(body: Field): number | undefined
  /** What of it is missing or of another type is left to the provider. */
  sampling(body: Field): Sampling
  /** In dialects in which a provider edits conversations by itself. */
  editing?(body: Field, items: readonly Item[]): ProviderEditing | undefined
}
