import { PrehendError, isJsonObject, stableJson } from '../core/index.ts'
import type { JsonObject } from '../core/index.ts'
import { wireMessages } from './forms/wire-messages.ts'
import { modelOf, preamble, requireMessages } from './session-record.ts'
import { inside, traceError } from './trace-error.ts'
import { messageReader } from './trace-message.ts'
import type { FoundRequest } from './forms/form.ts'
import type { WireMessages } from './forms/wire-message.ts'
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
  add(found: FoundRequest): void
  sessions(): readonly { readonly id: string; readonly requests: readonly UntimedRequest[] }[]
}

export function requestLog(): RequestLog {
  const open = new Map<string, OpenSession>()
  const all: OpenSession[] = []
  return {
    add(found) {
      const wire = wireMessages(found.body, found.dialect)
      requireMessages(found.body, found.place, wire)
      const raw = wire.messages.map((message) => message.raw)
      const key = sessionKey(found, wire.front, raw)
      let session = open.get(key)
      if (session === undefined || startsAnew(session, raw)) {
        const id = open.has(key) ? `${key}#${all.length}` : key
        session = { id, requests: [], last: [], nextId: 0, read: messageReader() }
        open.set(key, session)
        all.push(session)
      }
      append(session, { found, wire, raw })
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
function sessionKey({ session, body }: FoundRequest, front: JsonObject, raw: readonly unknown[]): string {
  const name = [session, body['prompt_cache_key']].find((value) => typeof value === 'string' && value !== '')
  if (typeof name === 'string') return name
  const isSystem = (message: unknown): boolean =>
    isJsonObject(message) && (message['role'] === 'system' || message['role'] === 'developer')
  const opening = [front['system'], raw.find(isSystem), raw.find((message) => !isSystem(message))]
  return stableJson(opening.map((part) => part ?? null))
}

interface Incoming {
  readonly found: FoundRequest
  readonly wire: WireMessages
  readonly raw: readonly unknown[]
}

function append(session: OpenSession, { found: { body, place, atMs }, wire, raw }: Incoming): void {
  const messages = inside(place, wire.member)
  const known = raw.map((message, index): Known => {
    const json = JSON.stringify(message)
    const earlier = session.last[index]
    if (earlier?.json === json) return earlier
    session.nextId += 1
    const at = inside(messages, wire.messages[index]?.at ?? index)
    return { json, message: session.read(message, `m${session.nextId - 1}`, at) }
  })
  session.last = known
  session.requests.push({
    messages: [...preamble(wire.front, place), ...known.map((entry) => entry.message)],
    step: raw.length,
    ...modelOf(body),
    ...(atMs === undefined ? {} : { atMs }),
  })
}

/** Of a file in which nothing could be read: the first thing that was wrong, and how often something was. */
export function emptyLogError(
  file: string,
  invalid: readonly PrehendError[],
  recognised: readonly string[],
): PrehendError {
  const [first, ...others] = invalid
  const place: TracePlace = { file, line: 1, field: '' }
  if (first === undefined) {
    const what =
      recognised.length === 0
        ? 'holds no request'
        : `is read as ${recognised.join(', ')}, and holds no request to a model`
    return traceError(place, what, 'Give at least one session or request body')
  }
  if (others.length === 0) return first
  const message = `${first.message} None of the ${invalid.length} records can be read.`
  return new PrehendError(first.code, message, first.data, first)
}

/** Of sessions that have no answers. */
export function unansweredError(place: TracePlace): PrehendError {
  const problem = 'holds sessions without answers: every answer of a session stands for one request'
  return traceError(place, problem, 'Give whole sessions, or requests as bodies that have no `id`')
}
