import { isJsonObject, stableJson } from '../core/index.ts'
import { messagesOf, modelOf, preamble } from './session-record.ts'
import { inside, traceError } from './trace-error.ts'
import { messageReader, timeOf } from './trace-message.ts'
import type { JsonObject } from '../core/index.ts'
import type { UntimedRequest } from './session-record.ts'
import type { TracePlace } from './trace-error.ts'
import type { TraceMessage } from './trace.ts'

/** A session of a request log while it is being read. */
interface OpenSession {
  readonly id: string
  readonly requests: UntimedRequest[]
  /** Messages of the last request, with the text that tells whether they came again. */
  last: readonly Known[]
  nextId: number
  readonly read: ReturnType<typeof messageReader>
}

interface Known {
  readonly json: string
  readonly message: TraceMessage
}

/** Collects a log of request bodies into sessions, in order of first appearance. */
export interface RequestLog {
  add(record: JsonObject, place: TracePlace): void
  sessions(): readonly { readonly id: string; readonly requests: readonly UntimedRequest[] }[]
}

/** Whether a record is one request (a body, or a body with its answer) and not a whole session. */
export function isRequestRecord(record: JsonObject): boolean {
  if (isJsonObject(record['request'])) return true
  return typeof record['model'] === 'string' && record['id'] === undefined && record['messages'] !== undefined
}

export function requestLog(): RequestLog {
  const open = new Map<string, OpenSession>()
  const all: OpenSession[] = []
  return {
    add(record, place) {
      const wrapped = isJsonObject(record['request'])
      const body = wrapped ? (record['request'] as JsonObject) : record
      const at = wrapped ? inside(place, 'request') : place
      const raw = messagesOf(body, at)
      const key = sessionKey(record, body, raw)
      let session = open.get(key)
      if (session === undefined || startsAnew(session, raw)) {
        const id = open.has(key) ? `${key}#${all.length}` : key
        session = { id, requests: [], last: [], nextId: 0, read: messageReader() }
        open.set(key, session)
        all.push(session)
      }
      append(session, { record, body, raw, place, at })
    },
    // One whose only request could not be read has none.
    sessions: () => all.filter(({ requests }) => requests.length > 0),
  }
}

/** A conversation without an answer in it has only begun. */
function startsAnew(session: OpenSession, raw: readonly unknown[]): boolean {
  const answered = raw.some((message) => isJsonObject(message) && message['role'] === 'assistant')
  return !answered && session.requests.length > 0 && raw.length <= session.last.length
}

/** First that is present: the log's own session id, the body's cache key, the opening messages. */
function sessionKey(record: JsonObject, body: JsonObject, raw: readonly unknown[]): string {
  const named = [record['session'], record['session_id'], record['sessionId'], body['prompt_cache_key']]
  const name = named.find((value) => typeof value === 'string' && value !== '')
  if (typeof name === 'string') return name
  const isSystem = (message: unknown): boolean =>
    isJsonObject(message) && (message['role'] === 'system' || message['role'] === 'developer')
  const opening = [body['system'], raw.find(isSystem), raw.find((message) => !isSystem(message))]
  return stableJson(opening.map((part) => part ?? null))
}

interface Incoming {
  readonly record: JsonObject
  readonly body: JsonObject
  readonly raw: readonly unknown[]
  readonly place: TracePlace
  readonly at: TracePlace
}

function append(session: OpenSession, { record, body, raw, place, at }: Incoming): void {
  const messages = inside(at, 'messages')
  const known = raw.map((message, index): Known => {
    const json = JSON.stringify(message)
    const earlier = session.last[index]
    if (earlier?.json === json) return earlier
    session.nextId += 1
    return { json, message: session.read(message, `m${session.nextId - 1}`, inside(messages, index)) }
  })
  session.last = known
  const atMs = timeOf(record['ts'] ?? record['time'] ?? record['timestamp'], inside(place, 'ts'))
  session.requests.push({
    messages: [...preamble(body, at), ...known.map((entry) => entry.message)],
    step: raw.length,
    ...modelOf(body),
    ...(atMs === undefined ? {} : { atMs }),
  })
}

export function emptyLogError(file: string): Error {
  return traceError({ file, line: 1, field: '' }, 'holds no request', 'Give at least one session or request body')
}
