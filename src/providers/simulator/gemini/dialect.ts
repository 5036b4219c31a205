import type { JsonObject } from '../../../core/index.ts'
import type { AnswerLimits, Chunk, SimulatedCall, SimulatedDialect } from '../dialect.ts'
import { listOf, numberOf, objectOf, textOf } from '../read-json.ts'
import type { AnswerPart } from '../script.ts'
import { sseEvent } from '../sse.ts'
import type { ProviderProblem } from '../wire.ts'
import { callingOf, configOf, contentsOf, declarationsOf, either, responseIn, schemaOf } from './body.ts'
import { checkGemini, checkGeminiShape, checkGeminiTokens } from './check.ts'
import { goesOn } from './goes-on.ts'
import { geminiListing } from './listing.ts'
import { contentBlocks, geminiShape, renderGemini } from './render.ts'
import { geminiChunks, geminiParts, geminiResponse } from './reply.ts'

/** `generateContent`, with streams as events. */
export const geminiDialect: SimulatedDialect = {
  providers: ['google'],
  limitFields: ['generationConfig', 'generation_config'],
  maxBodyBytes: 100 * 1024 * 1024,
  requestIdHeader: 'x-request-id',
  replyIdPrefix: '',
  toolIdPrefix: '',
  headers: {},
  error: (problem) => JSON.stringify(errorObject(problem)),
  streamError: (problem) => sseEvent(errorObject(problem)),
  stranger,
  unknownModel,
  listing: geminiListing,
  goesOn,
  shape: geminiShape,
  check: checkGemini,
  checkShape: checkGeminiShape,
  checkTokens: checkGeminiTokens,
  render: renderGemini,
  renderReply: (completion) => contentBlocks(completion.call, { role: 'model', parts: geminiParts(completion) }, 0),
  limits,
  possible,
  lastUserTexts,
  forcedTool,
  json: (completion) => JSON.stringify(geminiResponse(completion)),
  chunks: (completion) =>
    geminiChunks(completion).map(({ json, tokens }) => ({ data: `data: ${json}\r\n\r\n`, tokens })),
  tokenCount: (totalTokens) =>
    JSON.stringify({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}

/** The same with streams as a list that grows, which is how they come unless events are asked for. */
export const geminiListDialect: SimulatedDialect = {
  ...geminiDialect,
  streamType: 'application/json; charset=UTF-8',
  error: (problem) => `[${JSON.stringify(errorObject(problem))}]`,
  streamError: (problem) => `,\r\n${JSON.stringify(errorObject(problem))}\n]\n`,
  chunks: (completion) =>
    geminiChunks(completion).map(({ json, tokens }, index, all): Chunk => {
      const end = index === all.length - 1 ? '\n]\n' : ''
      return { data: (index === 0 ? '[' : ',\r\n') + json + end, tokens }
    }),
}

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}

function errorObject({
  status: code,
  type,
  message,
  code: reason,
  retryAfterSeconds: seconds,
}: ProviderProblem): JsonObject {
  const kind = 'type.googleapis.com/google.rpc'
  const details = [
    ...(reason === undefined ? [] : [{ '@type': `${kind}.ErrorInfo`, reason, 'domain': 'googleapis.com' }]),
    ...(seconds === undefined ? [] : [{ '@type': `${kind}.RetryInfo`, 'retryDelay': `${seconds}s` }]),
  ]
  const status = type ?? statuses[code] ?? 'INTERNAL'
  return { error: { code, message, status, ...(details.length > 0 && { details }) } }
}

function stranger(key: string): ProviderProblem {
  if (key !== '')
    return { status: 400, message: 'API key not valid. Please pass a valid API key.', code: 'API_KEY_INVALID' }
  const message =
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other " +
    'form of API consumer identity to call this API.'
  return { status: 403, message }
}

function unknownModel(id: string): ProviderProblem {
  const message =
    `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see ` +
    'the list of available models and their supported methods.'
  return { status: 404, message }
}

/** Thoughts are part of what an answer may be long. */
function limits({ body, model }: SimulatedCall): AnswerLimits {
  const config = configOf(body)
  return {
    maxTokens: numberOf(either(config, 'maxOutputTokens')) ?? model.info.maxOutputTokens,
    whenReached: 'length',
    stopSequences: listOf(either(config, 'stopSequences')).filter((text) => typeof text === 'string'),
  }
}

function possible({ body, model }: SimulatedCall, parts: readonly AnswerPart[]): readonly AnswerPart[] {
  const calls = declarationsOf(body).length > 0 && callingOf(body)['mode'] !== 'NONE'
  const budget = either(objectOf(either(configOf(body), 'thinkingConfig')), 'thinkingBudget')
  const thinks = model.provider === 'google' && model.gemini.thinks && budget !== 0
  return parts.filter(({ type }) => (type !== 'tool-call' || calls) && (type !== 'thinking' || thinks))
}

function lastUserTexts(body: JsonObject): readonly string[] {
  const said = contentsOf(body).findLast(({ role }) => role !== 'model')
  return (said?.parts ?? []).map((part) => {
    const { output, result } = objectOf(responseIn(part)?.['response'])
    return textOf(part['text']) ?? textOf(output) ?? textOf(result) ?? ''
  })
}

function forcedTool(body: JsonObject): { readonly name: string; readonly schema: JsonObject } | undefined {
  const calling = callingOf(body)
  if (calling['mode'] !== 'ANY') return undefined
  const allowed = listOf(either(calling, 'allowedFunctionNames'))
  const tool = declarationsOf(body).find(({ name }) => allowed.length === 0 || allowed.includes(name ?? null))
  return tool && { name: textOf(tool['name']) ?? '', schema: schemaOf(tool) }
}
