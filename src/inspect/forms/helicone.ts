import { isJsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { dialectAt } from './batches.ts'
import { millisecondsOf, objectIn, textIn, unquoted } from './json-access.ts'
import { loggedBody } from './logged-body.ts'
import { perValue } from './per-value.ts'

/** Rows of its request API and of its exports. */
export const helicone = perValue({
  name: 'Helicone export',
  recognise: (value) =>
    'request_body' in value ||
    'signed_body_url' in value ||
    ('request_id' in value && 'request_path' in value) ||
    ('heliconeMetadata' in value && 'raw' in value),
  read: (value, place) => {
    const raw = unquoted(value['request_body'] ?? objectIn(value, 'raw')['request'])
    const path = textIn(value, 'request_path', 'path')
    const model = textIn(value, 'request_model', 'model', 'model_override')
    const isBody = isJsonObject(raw) && Object.keys(raw).length > 0
    const dialect = isBody ? dialectAt(path, raw) : undefined
    const body = isBody ? (dialect === undefined ? undefined : raw) : undefined
    const properties = objectIn(unquoted(value['request_properties'] ?? value['properties']))
    const session = textIn(properties, 'Helicone-Session-Id', 'session_id', 'sessionId')
    const atMs = millisecondsOf(value['request_created_at'] ?? value['createdAt'])
    const found = body === undefined ? loggedBody(isBody ? raw : undefined, { model }) : body
    if (found !== undefined) {
      const named = found['model'] === undefined && model !== undefined ? { model, ...found } : found
      return [{ kind: 'request', body: named, dialect, place: inside(place, 'request_body'), session, atMs }]
    }
    const isElsewhere = textIn(value, 'signed_body_url') !== undefined
    const problem = isElsewhere ? 'is not in the file, only a link to it' : 'holds no messages'
    const remedy = isElsewhere
      ? 'Download it from signed_body_url into request_body, or export with bodies'
      : 'Export with bodies, of requests to chat models'
    throw traceError(inside(place, 'request_body'), problem, remedy)
  },
})
