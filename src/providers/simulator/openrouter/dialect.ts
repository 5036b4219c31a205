import { anthropicDialect } from '../anthropic/dialect.ts'
import type { Completion, RenderedRequest, SimulatedCall, SimulatedDialect } from '../dialect.ts'
import { checkOpenaiShape } from '../openai/check.ts'
import { messageBlocks } from '../openai/render.ts'
import { openaiMessage } from '../openai/reply.ts'
import { openaiDialect } from '../openai/dialect.ts'
import { numberOf } from '../read-json.ts'
import { chatBody, chatCall } from '../responses/chat-form.ts'
import { responsesDialect } from '../responses/dialect.ts'
import { responseOf } from '../responses/response.ts'
import type { AnswerPart } from '../script.ts'
import { sseEvent } from '../sse.ts'
import type { ProviderProblem } from '../wire.ts'
import { routedListing } from './listing.ts'
import { ownProblem, providerProblem, routedError, stranger, unknownModel } from './problems.ts'
import { renderRouted } from './render.ts'
import { costOf, routedChunks, routedCompletion, routedErrorChunk } from './reply.ts'
import { held, routed, triesOf } from './routing.ts'
import { routedOf, servedShape, servingOf } from './serving.ts'
import { routedModel } from './vendors.ts'

/** Chat Completions, as OpenRouter serves it: in one form for all providers, each asked in its own. */
export const openrouterDialect: SimulatedDialect = {
  ...openaiDialect,
  providers: ['openrouter'],
  requestIdHeader: 'x-generation-id',
  replyIdPrefix: 'gen-',
  headers: {},
  error: (problem) => JSON.stringify(routedError(problem)),
  streamError: (problem, _, answer) => sseEvent(routedErrorChunk(problem, answer)),
  stranger,
  unknownModel,
  listing: routedListing,
  modelOf: routedModel,
  tries: triesOf,
  route: routed,
  holds: held,
  shape: servedShape,
  check: (call) => ownProblem(call) ?? providerProblem(call, checked(call)),
  checkShape: (call) => ownProblem(call) ?? providerProblem(call, checkOpenaiShape(call)),
  checkTokens,
  render: renderRouted,
  renderReply: (completion) => {
    const { call } = servingOf(completion.call)
    return messageBlocks(call, openaiMessage({ ...completion, call }), 0)
  },
  limits(call, tokens) {
    const { dialect, call: served } = servingOf(call)
    return dialect.limits(served, tokens)
  },
  possible,
  json: (completion) => JSON.stringify(routedCompletion(completion)),
  chunks: routedChunks,
}

/** The Responses API of the same router; it keeps nothing. */
export const openrouterResponsesDialect: SimulatedDialect = {
  ...throughChat(openrouterDialect),
  limitFields: responsesDialect.limitFields,
  lastUserTexts: responsesDialect.lastUserTexts,
  forcedTool: responsesDialect.forcedTool,
  json: (completion) => JSON.stringify(responseOf(billed(completion))),
  chunks: (completion) => responsesDialect.chunks(billed(completion)),
}

/** The Messages API of the same router, for the models that speak it. */
export const openrouterMessagesDialect: SimulatedDialect = {
  ...anthropicDialect,
  providers: ['openrouter'],
  requestIdHeader: 'x-generation-id',
  replyIdPrefix: 'gen-',
  headers: {},
  unknownModel,
  modelOf: routedModel,
  tries: triesOf,
  route: routed,
  holds: held,
  check: (call) => notClaude(call) ?? anthropicDialect.check(messagesCall(call)),
  checkShape: (call) => notClaude(call) ?? anthropicDialect.checkShape(messagesCall(call)),
  checkTokens: (call, tokens) => anthropicDialect.checkTokens(messagesCall(call), tokens),
  render: (call) => ({
    ...anthropicDialect.render(messagesCall(call)),
    cacheKey: JSON.stringify([call.endpoint ?? '', '']),
  }),
  renderReply: (completion) => anthropicDialect.renderReply(asMessages(completion)),
  limits: (call, tokens) => anthropicDialect.limits(messagesCall(call), tokens),
  possible: (call, parts) => anthropicDialect.possible(messagesCall(call), parts),
  json: (completion) => anthropicDialect.json(asMessages(completion)),
  chunks: (completion) => anthropicDialect.chunks(asMessages(completion)),
}

function checked(call: SimulatedCall): ProviderProblem | undefined {
  const { dialect, call: served } = servingOf(call)
  return dialect.check(served)
}

function checkTokens({ body, model }: SimulatedCall, tokens: number): ProviderProblem | undefined {
  const asked = numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']) ?? 0
  const { windowTokens } = model.info
  if (tokens + asked <= windowTokens) return undefined
  const wanted = `you requested about ${tokens + asked} tokens (${tokens} of text input, ${asked} in the output)`
  const remedy = 'Please reduce the length of either one, or use the context-compression plugin.'
  return {
    status: 400,
    message: `This endpoint's maximum context length is ${windowTokens} tokens. However, ${wanted}. ${remedy}`,
  }
}

/** Gemini's models think unasked. */
function possible(call: SimulatedCall, parts: readonly AnswerPart[]): readonly AnswerPart[] {
  const { served } = routedOf(call)
  const { dialect, call: servedCall } = servingOf(call)
  const thinks = served.provider === 'google' && served.gemini.thinks
  return parts.filter((part) => (thinks && part.type === 'thinking') || dialect.possible(servedCall, [part]).length > 0)
}

/** A dialect whose requests are read as chats. */
function throughChat(chat: SimulatedDialect): SimulatedDialect {
  return {
    ...chat,
    shape: (body) => chat.shape(chatBody(body)),
    check: (call) => chat.check(chatCall(call)),
    checkShape: (call) => chat.checkShape(chatCall(call)),
    checkTokens: (call, tokens) => chat.checkTokens(chatCall(call), tokens),
    route: (call, routing) => {
      const found = chat.route?.(chatCall(call), routing) ?? call
      return 'status' in found ? found : { ...found, body: call.body }
    },
    holds: (completion, routing) => chat.holds?.({ ...completion, call: chatCall(completion.call) }, routing),
    render: (call): RenderedRequest => chat.render(chatCall(call)),
    renderReply: (completion) => chat.renderReply({ ...completion, call: chatCall(completion.call) }),
    limits: (call, tokens) => chat.limits(chatCall(call), tokens),
    possible: (call, parts) => chat.possible(chatCall(call), parts),
  }
}

function billed(completion: Completion): Completion {
  return { ...completion, bill: costOf(completion) }
}

/** What is the router's own. */
const ownMembers = new Set(['provider', 'models', 'plugins', 'session_id', 'route', 'user'])

function messagesCall(call: SimulatedCall): SimulatedCall {
  const members = Object.entries(call.body).filter(([name]) => !ownMembers.has(name))
  return {
    ...call,
    headers: { 'anthropic-version': '2023-06-01', ...call.headers },
    model: { ...routedOf(call).served, id: call.model.id },
    body: Object.fromEntries(members),
  }
}

function asMessages(completion: Completion): Completion {
  return { ...billed(completion), call: messagesCall(completion.call) }
}

function notClaude(call: SimulatedCall): ProviderProblem | undefined {
  if (routedOf(call).served.provider === 'anthropic') return undefined
  return { status: 400, message: `The simulated router has no Messages API for ${call.model.id}.` }
}
