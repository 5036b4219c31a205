import type { JsonNode, JsonTree, JsonValue, ModelReply } from '../../core/index.ts'
import { decodeValue, isJsonObject, member, present, stringAt } from '../../core/index.ts'
import type { Chain } from '../chain.ts'
import type { StreamState } from '../stream-reducer.ts'
import { optional } from '../optional.ts'
import { failureOf, scanReply, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { ChunkParts } from './fold-parts.ts'
import { wordsOf } from './fold-parts.ts'
import { geminiUsage } from './usage.ts'

export interface GeminiStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  /** What the first candidate says. */
  readonly chunks: Chain<ChunkParts> | undefined
  readonly finishReason?: string
  /** Why nothing was said at all. */
  readonly blockReason?: string
  readonly usage?: JsonValue
  readonly failure?: { readonly type: string; readonly message: string }
}

export const initialState: GeminiStreamState = { ended: false, chunks: undefined }

/** Folds one chunk; of several candidates the first is read. Data that is no JSON changes nothing. */
export function step(state: GeminiStreamState, event: SseEvent): GeminiStreamState {
  const tree = treeOfEvent(event)
  return tree === undefined ? state : stepTree(state, tree)
}

export function skim(state: GeminiStreamState, event: SseEvent): GeminiStreamState {
  const tree = treeOfEvent(event)
  return tree === undefined ? state : withoutWords(state, tree, tree.root)
}

/** The chunk in an event's data; what is none is passed over. */
export function treeOfEvent({ comment, data }: SseEvent): JsonTree | undefined {
  if (comment !== undefined) return undefined
  try {
    const tree = scanReply(data)
    return tree.root.kind === 'object' ? tree : undefined
  } catch {
    return undefined
  }
}

export function stepTree(state: GeminiStreamState, tree: JsonTree, chunk: JsonNode = tree.root): GeminiStreamState {
  const next = withoutWords(state, tree, chunk)
  const parts = partsOf(tree, firstCandidate(tree, chunk))
  if (next.ended || parts.length === 0) return next
  return { ...next, chunks: { last: { tree, parts }, before: state.chunks } }
}

function withoutWords(state: GeminiStreamState, tree: JsonTree, chunk: JsonNode): GeminiStreamState {
  const error = present(tree, chunk, 'error')
  if (error !== undefined) return { ...state, ended: true, failure: refusal(decodeValue(tree, error)) }
  const usage = present(tree, chunk, 'usageMetadata')
  return {
    ...state,
    ...optional('id', state.id ?? stringAt(tree, chunk, 'responseId')),
    ...optional('model', state.model ?? stringAt(tree, chunk, 'modelVersion')),
    ...optional('usage', usage?.kind === 'object' ? decodeValue(tree, usage) : state.usage),
    ...optional('finishReason', finishReason(tree, chunk) ?? state.finishReason),
    ...optional('blockReason', blockReason(tree, chunk) ?? state.blockReason),
  }
}

/** Errors of this dialect name their kind `status`. */
export function refusal(error: JsonValue): { readonly type: string; readonly message: string } {
  return failureOf(isJsonObject(error) && error['status'] !== undefined ? { ...error, type: error['status'] } : error)
}

export function replyOf(state: GeminiStreamState): ModelReply {
  const { finishReason: finished, blockReason: blocked } = state
  const failure = state.failure ?? ((finished ?? blocked) === undefined ? truncated : undefined)
  const { message, ...words } = wordsOf(state.chunks)
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    ...words,
    ...optional('stopReason', finished ?? blocked),
    ...optional('usage', geminiUsage(state.usage)),
    ...optional('message', finished === undefined && blocked !== undefined ? undefined : message),
    ...optional('failure', failure),
  }
}

export function firstCandidate(tree: JsonTree, chunk: JsonNode): JsonNode | undefined {
  const candidates = member(tree, chunk, 'candidates')?.children ?? []
  return candidates.find((candidate) => {
    const index = present(tree, candidate, 'index')
    return candidate.kind === 'object' && (index === undefined || tree.text.slice(index.start, index.end) === '0')
  })
}

export function partsOf(tree: JsonTree, candidate: JsonNode | undefined): readonly JsonNode[] {
  const parts = member(tree, member(tree, candidate, 'content'), 'parts')
  return (parts?.kind === 'array' ? parts.children : []).filter(({ kind }) => kind === 'object')
}

export function finishReason(tree: JsonTree, chunk: JsonNode): string | undefined {
  const reason = stringAt(tree, firstCandidate(tree, chunk), 'finishReason')
  return reason === '' ? undefined : reason
}

function blockReason(tree: JsonTree, chunk: JsonNode): string | undefined {
  return stringAt(tree, member(tree, chunk, 'promptFeedback'), 'blockReason')
}
