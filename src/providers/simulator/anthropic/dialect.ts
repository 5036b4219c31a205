import { hash } from 'node:crypto'
import type { JsonObject } from '../../../core/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { AnswerLimits, Completion, SimulatedCall, SimulatedDialect } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import type { ProviderProblem } from '../wire.ts'
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { sseEvent } from '../sse.ts'
import { canonicalBlock } from './canonical.ts'
import { checkAnthropic, checkAnthropicShape, checkAnthropicTokens } from './check.ts'
import { diagnose } from './diagnose.ts'
import { contentBlocks } from './message.ts'
import { renderAnthropic } from './render.ts'
import { anthropicListing } from '../model-list.ts'
import { anthropicContent, anthropicMessage } from './reply.ts'
import { anthropicChunks } from './stream.ts'
import { anthropicShape } from './tokens.ts'

/** The Messages API. */
export const anthropicDialect: SimulatedDialect = {
  providers: ['anthropic'],
  limitFields: ['max_tokens'],
  maxBodyBytes: 32 * 1024 * 1024,
  requestIdHeader: 'request-id',
  replyIdPrefix: 'msg_',
  toolIdPrefix: 'toolu_',
  headers: {
    'anthropic-ratelimit-requests-limit': '1000',
    'anthropic-ratelimit-requests-remaining': '999',
    'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:00Z',
  },
  error: (problem, requestId) => JSON.stringify({ ...errorObject(problem), request_id: requestId }),
  streamError: (problem) => sseEvent(errorObject(problem), 'error'),
  listing: anthropicListing,
  shape: anthropicShape,
  check: checkAnthropic,
  checkShape: checkAnthropicShape,
  checkTokens: checkAnthropicTokens,
  render: renderAnthropic,
  renderReply,
  limits,
  possible,
  lastUserTexts,
  forcedTool,
  json: (completion) => JSON.stringify(anthropicMessage(completion)),
  chunks: anthropicChunks,
  diagnose,
  tokenCount: (tokens) => JSON.stringify({ input_tokens: tokens }),
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function errorObject({ status, type, message }: ProviderProblem): JsonObject {
  return { type: 'error', error: { type: type ?? errorTypes[status] ?? 'api_error', message } }
}

function renderReply(completion: Completion): readonly CacheBlock[] {
  return anthropicContent(completion).map((block) => ({
    hash: hash('sha256', ` assistant ${canonicalBlock(block)}`),
    tokens: completion.usage.outputTokens,
  }))
}

function limits({ body, model }: SimulatedCall, tokens: number): AnswerLimits {
  const asked = numberOf(body['max_tokens']) ?? model.info.maxOutputTokens
  const room = model.info.windowTokens - tokens
  return {
    maxTokens: Math.min(asked, room),
    whenReached: room < asked ? 'context-window' : 'length',
    stopSequences: listOf(body['stop_sequences']).filter((text) => typeof text === 'string'),
  }
}

/** A model that does not think writes no thinking; one without tools calls none. */
function possible({ body, model }: SimulatedCall, parts: readonly AnswerPart[]): readonly AnswerPart[] {
  const byDefault = model.provider === 'anthropic' && model.claude.thinkingByDefault ? 'adaptive' : 'disabled'
  const mode = textOf(objectOf(body['thinking'])['type']) ?? byDefault
  const tools = objectsOf(body['tools']).length > 0 && objectOf(body['tool_choice'])['type'] !== 'none'
  return parts.filter(
    (part) => (part.type !== 'thinking' || mode !== 'disabled') && (part.type !== 'tool-call' || tools),
  )
}

function lastUserTexts(body: JsonObject): readonly string[] {
  const message = objectsOf(body['messages']).findLast(({ role }) => role === 'user')
  return contentBlocks(message?.['content'])
    .flatMap((block) => (block['type'] === 'tool_result' ? contentBlocks(block['content']) : [block]))
    .map((block) => textOf(block['text']) ?? '')
}

function forcedTool(body: JsonObject): { readonly name: string; readonly schema: JsonObject } | undefined {
  const { type, name } = objectOf(body['tool_choice'])
  if (type !== 'any' && type !== 'tool') return undefined
  const tool = objectsOf(body['tools']).find((candidate) => type === 'any' || candidate['name'] === name)
  return tool && { name: textOf(tool['name']) ?? '', schema: objectOf(tool['input_schema']) }
}
