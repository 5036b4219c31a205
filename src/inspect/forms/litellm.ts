import { isJsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { millisecondsOf, objectIn, textIn, unquoted } from './json-access.ts'
import { loggedBody } from './logged-body.ts'
import { perValue } from './per-value.ts'

/** Its standard logging payload, rows of its spend logs, and what its callbacks write of a call. */
export const litellm = perValue({
  name: 'LiteLLM log',
  recognise: (value) =>
    ('call_type' in value || 'litellm_call_id' in value || 'litellm_params' in value) &&
    ('messages' in value || 'proxy_server_request' in value || 'model' in value),
  read: (value, place) => {
    const sent = objectIn(objectIn(value, 'additional_args'), 'complete_input_dict')
    const received = objectIn(
      unquoted(objectIn(unquoted(value['proxy_server_request']))['body'] ?? value['proxy_server_request']),
    )
    const parameters = objectIn(unquoted(value['model_parameters'] ?? value['optional_params']))
    const beside = { model: textIn(value, 'model', 'model_group'), tools: parameters['tools'] }
    const inputs = [value['messages'], sent, received].map(unquoted).filter(isSaid)
    const body = inputs.map((input) => loggedBody(input, beside)).find((found) => found !== undefined)
    if (body === undefined) {
      const remedy = 'Log messages: turn_off_message_logging off, and for spend logs store_prompts_in_spend_logs on'
      throw traceError(inside(place, 'messages'), 'are not in the log, so the request is not known', remedy)
    }
    const metadata = objectIn(unquoted(value['metadata']))
    const session =
      textIn(value, 'session_id', 'litellm_session_id') ?? textIn(metadata, 'session_id', 'litellm_session_id')
    const atMs = millisecondsOf(value['startTime'] ?? value['start_time'])
    return [{ kind: 'request', body, place: inside(place, 'messages'), session, atMs }]
  },
})

/** Redacted messages are a notice. */
function isSaid(input: unknown): boolean {
  if (typeof input === 'string') return input !== '' && !/redacted/i.test(input)
  if (!Array.isArray(input)) return isJsonObject(input) && Object.keys(input).length > 0
  return input.length > 0 && !input.every((one) => /^redacted-by-litellm$/i.test(textIn(one, 'content') ?? ''))
}
