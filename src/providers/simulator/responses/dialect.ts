import { parseObject } from '../../../core/index.ts'
import { objectOf } from '../read-json.ts'
import type { SimulatedDialect } from '../dialect.ts'
import { openaiDialect } from '../openai/dialect.ts'
import { sseEvent } from '../sse.ts'
import { chatBody, chatCall } from './chat-form.ts'
import { goesOn, keeps } from './kept.ts'
import { checkResponses, checkResponsesShape, checkResponsesTokens } from './check.ts'
import { responseEvents, responseOf } from './response.ts'

/** Responses; each is kept, to go on from, unless its request says otherwise. */
export const responsesDialect: SimulatedDialect = {
  ...openaiDialect,
  providers: ['openai'],
  limitFields: ['max_output_tokens'],
  replyIdPrefix: 'resp_',
  streamError: (problem, requestId) => {
    const error = objectOf(parseObject(openaiDialect.error(problem, requestId))?.['error'])
    // Clients of a stream insist on a code.
    const coded = { ...error, code: error['code'] ?? error['type'] ?? null }
    return sseEvent({ ...coded, type: 'error', sequence_number: 0, error: coded }, 'error')
  },
  shape: (body) => openaiDialect.shape(chatBody(body)),
  check: checkResponses,
  checkShape: checkResponsesShape,
  checkTokens: checkResponsesTokens,
  render: (call) => openaiDialect.render(chatCall(call)),
  renderReply: (completion) => openaiDialect.renderReply({ ...completion, call: chatCall(completion.call) }),
  limits: (call, tokens) => ({ ...openaiDialect.limits(chatCall(call), tokens), stopSequences: [] }),
  choices: () => 1,
  possible: (call, parts) => openaiDialect.possible(chatCall(call), parts),
  lastUserTexts: (body) => openaiDialect.lastUserTexts(chatBody(body)),
  forcedTool: (body) => openaiDialect.forcedTool(chatBody(body)),
  goesOn,
  keeps,
  json: (completion) => JSON.stringify(responseOf(completion)),
  chunks: responseEvents,
  tokenCount: (tokens) => JSON.stringify({ object: 'response.input_tokens', input_tokens: tokens }),
}
