import { isJsonObject, isPrehendError } from '../core/index.ts'
import { needleFileOf, readNeedles } from './needles.ts'
import { parseLine, readLines } from './read-lines.ts'
import { emptyLogError, isRequestRecord, requestLog } from './request-log.ts'
import type { RequestLog } from './request-log.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { UntimedRequest } from './session-record.ts'
import { traceError } from './trace-error.ts'
import type { JsonObject, PrehendError } from '../core/index.ts'
import type { NeedleRow, NeedleTable } from './needles.ts'
import type { TracePlace } from './trace-error.ts'
import type { Trace } from './trace.ts'

export interface TraceOptions {
  /** Told of a line that cannot be read, which is then passed over; without it such a line is an error. */
  readonly onInvalid?: (error: PrehendError) => void
}

/**
 * Reads a JSONL file of sessions (`{id, messages}`) or of requests (OpenAI or Anthropic bodies, plain or as
 * `{request, response}`), with the needles from the file beside it. Requests are joined into sessions at the end of
 * the file; sessions are handed out as they are read.
 */
export async function* readTrace(file: string, { onInvalid = fail }: TraceOptions = {}): AsyncGenerator<Trace> {
  const needleFile = needleFileOf(file)
  const needles = needleFile === undefined ? undefined : await readNeedles(needleFile)
  const log = requestLog()
  let sessions = 0
  for await (const { line, text } of readLines(file)) {
    const session = sessionOf({ file, line, field: '' }, { text, log, onInvalid })
    if (session === undefined) continue
    sessions += 1
    yield asTrace(session.id, session.requests, rowsOf(needles, session.id))
  }
  for (const { id, requests } of loggedIn(log, file, sessions)) yield asTrace(id, requests, rowsOf(needles, id))
}

/** The same of a text in which all lines stand; without needles. Throws `invalid-input` that names the line. */
export function parseTrace(text: string, name: string): readonly Trace[] {
  const log = requestLog()
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const sessions = lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    return sessionOf({ file: name, line: index + 1, field: '' }, { text: line, log, onInvalid: fail }) ?? []
  })
  return [...sessions, ...loggedIn(log, name, sessions.length)].map(({ id, requests }) => asTrace(id, requests))
}

/** Sessions of a log that have no name are told apart by their numbers. */
function loggedIn(log: RequestLog, file: string, others: number): readonly LoggedSession[] {
  const logged = log.sessions()
  if (others + logged.length === 0) throw emptyLogError(file)
  return logged.map(({ id, requests }, index) => ({ id: id.startsWith('[') ? `${file}#${index}` : id, requests }))
}

function fail(error: PrehendError): never {
  throw error
}

interface Line extends Required<TraceOptions> {
  readonly text: string
  /** Takes the lines that are requests. */
  readonly log: RequestLog
}

interface LoggedSession {
  readonly id: string
  readonly requests: readonly UntimedRequest[]
}

/** The session that a line holds, if it holds a whole one. */
function sessionOf(place: TracePlace, { text, log, onInvalid }: Line): LoggedSession | undefined {
  try {
    const value = parseLine(place, text)
    if (!isJsonObject(value)) {
      throw traceError(place, 'is not an object', 'Every line holds a session or a request body')
    }
    if (!isRequestRecord(value)) {
      return { id: sessionId(value, place.file, place.line), requests: sessionRequests(value, place) }
    }
    log.add(value, place)
  } catch (error) {
    if (!isPrehendError(error)) throw error
    onInvalid(error)
  }
  return undefined
}

function sessionId(record: JsonObject, file: string, line: number): string {
  const id = record['id']
  return typeof id === 'string' || typeof id === 'number' ? String(id) : `${file}:${line}`
}

/** A trace that the needle file does not name has none, which is not the same as unknown. */
function rowsOf(needles: NeedleTable | undefined, id: string): readonly NeedleRow[] | undefined {
  return needles === undefined ? undefined : (needles.get(id) ?? [])
}
