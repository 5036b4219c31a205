import type { JsonValue } from './json.ts'

/** The dialects that come with the product. */
export type KnownDialect = 'openai-chat' | 'anthropic-messages' | 'openai-responses' | 'gemini'

/** The name of a wire dialect. Open: a codec may bring its own. */
export type Dialect = KnownDialect | (string & {})

/** A prompt-cache marker that the caller placed; ours stand behind it. */
export interface CacheMarker {
  readonly itemId: string
  readonly ttlMs: number
}

/** By lower-case name; several headers of one name are joined by commas. */
export type WireHeaders = Readonly<Record<string, string | undefined>>

/** A request as it came over the network. */
export interface WireRequest {
  /** With its query string; the dialect's own when absent. */
  readonly path?: string
  readonly headers?: WireHeaders
  readonly body: string
}

/** The `prehend` (alias `bardo`) member of a body, which is meant for Prehend and never forwarded. */
export interface Extension {
  readonly name: string
  readonly value: JsonValue
}

/** Where the items of a conversation stand in a body. A codec keeps there what only it can read; a copy may do without. */
export interface Places {
  /** How many items have a place. */
  readonly items: number
}

/** The bytes of a request, and what is said there of the transport rather than in the conversation. */
export interface Wire {
  readonly dialect: Dialect
  readonly path: string
  readonly headers: WireHeaders
  /** Everything that the codec does not know stays in it and comes out of `encode` as it went in. */
  readonly body: string
  readonly markers: readonly CacheMarker[]
  readonly places?: Places
  /** `prompt_cache_key` or what plays its part in the dialect. */
  readonly cacheKey?: string
  readonly extension?: Extension
  /** Names the reply that it goes on from, and what led to that, where the provider keeps both and the body has neither. */
  readonly continues?: string
  /** Whether the provider keeps the reply, so that the next request may go on from it by its name. */
  readonly isKept?: boolean
  /** The member of the body by which it can only be sent as it came: what it asks for cannot be told beforehand. */
  readonly unplanned?: string
  /** Whether a tool may be added: tools are in use, none is forced, the format is known. */
  readonly acceptsTool: boolean
  /** None may join them, since the request has the most that it may, but one of ours may stand in place of one of them. */
  readonly acceptsToolInstead?: true
  /** Whether the request has no tools, and nothing in it speaks against the first one. */
  readonly acceptsFirstTool?: true
  /** Whether a tool that was added before may stay, so that the bytes stay: tools are in use and one answer is asked for. */
  readonly keepsTool: boolean
  /** Whether the client has as many tools as the provider takes, so that none of ours may join. */
  readonly hasMostTools?: true
}
