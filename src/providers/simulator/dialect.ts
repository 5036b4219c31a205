import type { JsonObject, Usage } from '../../core/index.ts'
import type { CacheRules, ModelCatalogue, RequestOverhead, RequestShape } from '../../tokens/index.ts'
import type { CacheBlock } from '../cache/rules.ts'
import type { CachedContents } from './gemini/cached-contents.ts'
import type { ModelListing } from './model-list.ts'
import type { StickyRoutes } from './openrouter/sticky-routes.ts'
import type { AnswerPart } from './script.ts'
import type { ProviderProblem, ProviderHeaders } from './wire.ts'
import type { SimulatedModel } from './model.ts'

/** Counts the tokens of a text for a model. */
export type CountTokens = (model: string, text: string) => number

/** A request that is about to be checked, rendered and answered. */
export interface SimulatedCall {
  readonly body: JsonObject
  readonly headers: ProviderHeaders
  readonly model: SimulatedModel
  readonly count: CountTokens
  /** Tokens that the provider adds around messages and tools. */
  readonly overhead: RequestOverhead
  /** What an image or a document costs. */
  mediaTokens(block: JsonObject): number
  /** Whether only the tokens are asked for. */
  readonly countOnly: boolean
  /** Tokens of its prompt that were cached by name. */
  readonly keptTokens?: number
  /** Who serves it, where several could. */
  readonly endpoint?: string
}

export interface RenderedRequest {
  readonly blocks: readonly CacheBlock[]
  readonly tokens: number
  /** Besides tenant and model, what must be the same for two requests to share a cache. */
  readonly cacheKey: string
  /** The tier of each block, in dialects that have tiers. */
  readonly tiers?: readonly string[]
  /** Lifetime of what the provider marks by itself. */
  readonly implicitTtlMs?: number
  readonly cacheMode?: 'implicit' | 'explicit'
  /** How this very request is cached, where that is not as its model usually is. */
  readonly cacheRules?: CacheRules
}

export type StopKind = 'end' | 'length' | 'tool-calls' | 'stop-sequence' | 'refusal' | 'context-window'

export interface AnswerLimits {
  readonly maxTokens: number
  /** The stop that a used up limit is reported as. */
  readonly whenReached: 'length' | 'context-window'
  readonly stopSequences: readonly string[]
}

/** What a dialect may ask about models. */
export interface ModelsKnown {
  readonly catalogue: ModelCatalogue
  /** As its own provider knows it. */
  served(id: string): SimulatedModel | undefined
  /** Whether models that nobody knows are refused. */
  readonly strict: boolean
}

/** What is needed to say who serves a request. */
export interface Routing {
  readonly routes: StickyRoutes
  readonly tenant: string
  readonly nowMs: number
}

/** A finished answer, before it is put into the dialect's words. */
export interface Completion {
  readonly id: string
  readonly createdMs: number
  readonly call: SimulatedCall
  readonly parts: readonly AnswerPart[]
  readonly stop: StopKind
  readonly stopSequence?: string
  readonly usage: Usage
  readonly thinkingTokens: number
  readonly diagnostics?: JsonObject | null
  /** What is told beside what was used. */
  readonly bill?: JsonObject
}

/** One piece of a stream. */
export interface Chunk {
  readonly data: string
  /** Output tokens that it carries; they take the time. */
  readonly tokens: number
}

/** What differs between the wire dialects; one value for each. */
export interface SimulatedDialect {
  readonly providers: readonly SimulatedModel['provider'][]
  /** In which a request bounds its answer. */
  readonly limitFields: readonly string[]
  error(problem: ProviderProblem, requestId: string): string
  /** The same as an event in a stream that has begun to tell an answer. */
  streamError(problem: ProviderProblem, requestId: string, answer: Completion): string
  /** Why a key, or none, is not let in, where the dialect has words of its own for it. */
  stranger?(key: string): ProviderProblem
  /** The same for a model that nobody knows. */
  unknownModel?(id: string): ProviderProblem
  readonly listing: ModelListing
  /** The model of an id, where models go by other names here than where they come from. */
  modelOf?(id: string, known: ModelsKnown): SimulatedModel | undefined
  /** What decides the overhead. */
  shape(body: JsonObject): RequestShape
  check(call: SimulatedCall): ProviderProblem | undefined
  /** The same, whatever model and parameters are asked for. */
  checkShape(call: SimulatedCall): ProviderProblem | undefined
  checkTokens(call: SimulatedCall, tokens: number): ProviderProblem | undefined
  render(call: SimulatedCall): RenderedRequest
  renderReply(completion: Completion): readonly CacheBlock[]
  limits(call: SimulatedCall, tokens: number): AnswerLimits
  /** How many times the answer is given; absent where that is once. */
  choices?(call: SimulatedCall): number
  /** Parts of a scripted answer that the request makes impossible are left out. */
  possible(call: SimulatedCall, parts: readonly AnswerPart[]): readonly AnswerPart[]
  /** The texts of the last message that is not the model's, block by block. */
  lastUserTexts(body: JsonObject): readonly string[]
  /** The tool that must be called, with its input schema. */
  forcedTool(body: JsonObject): { readonly name: string; readonly schema: JsonObject } | undefined
  /** The body with what it goes on from written out, where the dialect has a provider keep that; or why it cannot go on. */
  goesOn?(body: JsonObject, kept: Kept): GoneOn
  /** A request once for each model that it may be answered by, in order, where a router tries several. */
  tries?(body: JsonObject): readonly JsonObject[]
  /** The call with who serves it, where several could; or why nobody may. */
  route?(call: SimulatedCall, routing: Routing): SimulatedCall | ProviderProblem
  /** Has whoever served an answer serve what goes on from it. */
  holds?(completion: Completion, routing: Routing): void
  /** What is kept of an answer; undefined for one of which nothing is to be. */
  keeps?(completion: Completion): KeptReply | undefined
  json(completion: Completion): string
  chunks(completion: Completion): readonly Chunk[]
  /** Absent where the dialect has no such question. */
  tokenCount?(tokens: number): string
  /** Why the request missed what an earlier one left, if it asks. */
  diagnose?(
    rendered: RenderedRequest,
    call: SimulatedCall,
    remembered: (id: string) => RememberedRequest | undefined,
  ): JsonObject | null
  /** Longer bodies are refused. */
  readonly maxBodyBytes: number
  /** Of a streamed answer, where that is no stream of events. */
  readonly streamType?: string
  readonly requestIdHeader: string
  readonly replyIdPrefix: string
  readonly toolIdPrefix: string
  /** Headers that every answer carries. */
  readonly headers: ProviderHeaders
}

/** A request as it is remembered, to explain why a later one missed. */
export interface RememberedRequest {
  readonly model: string
  readonly rendered: RenderedRequest
}

/** An answer as it was told, and all that led to it with what it says itself. */
export interface KeptReply {
  readonly reply: JsonObject
  readonly items: readonly JsonObject[]
}

/** What a provider keeps for whoever asks. */
export interface Kept {
  readonly replies: KeptReplies
  readonly contents: CachedContents
  readonly tenant: string
  readonly nowMs: number
}

export type GoneOn =
  /** `keptTokens`: of what was kept by name, and is read from there. */
  { readonly body: JsonObject; readonly keptTokens?: number } | { readonly problem: ProviderProblem }

/** By the answer's id. */
export type KeptReplies = ReadonlyMap<string, KeptReply>
