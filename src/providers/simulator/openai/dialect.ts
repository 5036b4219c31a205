import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { AnswerLimits, SimulatedCall, SimulatedDialect } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import type { ProviderProblem } from '../wire.ts'
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { sseEvent } from '../sse.ts'
import { checkOpenai, checkOpenaiShape, checkOpenaiTokens } from './check.ts'
import { renderMarked, takesMarks } from './marked.ts'
import { choicesOf } from './choices.ts'
import { openaiListing } from '../model-list.ts'
import { contentParts, toolName } from './message.ts'
import { reasons } from './reasoning.ts'
import { messageBlocks, renderOpenai } from './render.ts'
import { openaiCompletion, openaiMessage } from './reply.ts'
import { openaiShape } from './shape.ts'
import { openaiChunks } from './stream.ts'

/** Chat Completions, as OpenAI and DeepSeek serve it. */
export const openaiDialect: SimulatedDialect = {
  providers: ['openai', 'deepseek'],
  limitFields: ['max_tokens', 'max_completion_tokens'],
  maxBodyBytes: 512 * 1024 * 1024,
  requestIdHeader: 'x-request-id',
  replyIdPrefix: 'chatcmpl-',
  toolIdPrefix: 'call_',
  headers: {
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '1000',
    'x-ratelimit-remaining-requests': '999',
    'x-ratelimit-reset-requests': '60ms',
  },
  error: (problem) => JSON.stringify(errorObject(problem)),
  streamError: (problem) => sseEvent(errorObject(problem)),
  listing: openaiListing,
  shape: openaiShape,
  check: checkOpenai,
  checkShape: checkOpenaiShape,
  checkTokens: checkOpenaiTokens,
  render: (call) => (takesMarks(call) ? renderMarked(call) : renderOpenai(call)),
  renderReply: (completion) => messageBlocks(completion.call, openaiMessage(completion), 0),
  limits,
  choices: choicesOf,
  possible,
  lastUserTexts,
  forcedTool,
  json: (completion) => JSON.stringify(openaiCompletion(completion)),
  chunks: openaiChunks,
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'server_error',
}

const errorCodes: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
}

function errorObject({ status, type, message, param, code }: ProviderProblem): JsonObject {
  return {
    error: {
      message,
      type: type ?? errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: param ?? null,
      code: code ?? errorCodes[status] ?? null,
    },
  }
}

function limits({ body, model }: SimulatedCall, tokens: number): AnswerLimits {
  const asked = numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']) ?? model.info.maxOutputTokens
  const { stop } = body
  return {
    maxTokens: Math.min(asked, model.info.windowTokens - tokens),
    whenReached: 'length',
    stopSequences: typeof stop === 'string' ? [stop] : listOf(stop).filter((text) => typeof text === 'string'),
  }
}

function possible(call: SimulatedCall, parts: readonly AnswerPart[]): readonly AnswerPart[] {
  const tools = objectsOf(call.body['tools']).length > 0 && call.body['tool_choice'] !== 'none'
  return parts.filter((part) => (part.type !== 'thinking' || reasons(call)) && (part.type !== 'tool-call' || tools))
}

function lastUserTexts(body: JsonObject): readonly string[] {
  const message = objectsOf(body['messages']).findLast(({ role }) => role === 'user' || role === 'tool')
  return contentParts(message ?? {}).map((part) => textOf(part['text']) ?? '')
}

function forcedTool(body: JsonObject): { readonly name: string; readonly schema: JsonObject } | undefined {
  const choice: JsonValue | undefined = body['tool_choice']
  const wanted = toolName(objectOf(choice))
  if (choice !== 'required' && wanted === '') return undefined
  const tool = objectsOf(body['tools']).find((candidate) => choice === 'required' || toolName(candidate) === wanted)
  return tool && { name: toolName(tool), schema: objectOf(objectOf(tool['function'])['parameters']) }
}
