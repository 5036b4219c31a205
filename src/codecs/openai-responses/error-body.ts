import type { PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { openaiErrorBody } from '../openai-chat/error-body.ts'
import { parseData } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'

/** The provider's errors are those of its other dialect. */
export { openaiErrorBody as responsesErrorBody } from '../openai-chat/error-body.ts'

/** Documented with its members at the top, sent with them in `error`: clients read either. */
export function responsesErrorEvent(error: PrehendError): SseEvent {
  const body = parseData(openaiErrorBody(error))
  const said = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {}
  const { type = null, message = error.message, param = null } = said
  // Clients of a stream insist on a code.
  const code = said['code'] ?? type
  const data = { type: 'error', code, message, param, sequence_number: 0, error: { ...said, code } }
  return { event: 'error', data: JSON.stringify(data) }
}
