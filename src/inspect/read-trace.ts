import { isJsonObject } from '../core/index.ts'
import { needleFileOf, readNeedles } from './needles.ts'
import { readJsonLines } from './read-lines.ts'
import { emptyLogError, isRequestRecord, requestLog } from './request-log.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import { traceError } from './trace-error.ts'
import type { JsonObject } from '../core/index.ts'
import type { NeedleRow, NeedleTable } from './needles.ts'
import type { TracePlace } from './trace-error.ts'
import type { Trace } from './trace.ts'

/**
 * Reads a JSONL file of sessions (`{id, messages}`) or of requests (OpenAI or Anthropic bodies, plain or as
 * `{request, response}`), with the needles from the file beside it. Requests are joined into sessions at the end of
 * the file; sessions are handed out as they are read.
 */
export async function* readTrace(file: string): AsyncGenerator<Trace> {
  const needleFile = needleFileOf(file)
  const needles = needleFile === undefined ? undefined : await readNeedles(needleFile)
  const log = requestLog()
  let sessions = 0
  for await (const { line, value } of readJsonLines(file)) {
    const place: TracePlace = { file, line, field: '' }
    if (!isJsonObject(value)) {
      throw traceError(place, 'is not an object', 'Every line holds a session or a request body')
    }
    if (isRequestRecord(value)) {
      log.add(value, place)
    } else {
      sessions += 1
      const id = sessionId(value, file, line)
      yield asTrace(id, sessionRequests(value, place), rowsOf(needles, id))
    }
  }
  const logged = log.sessions()
  if (sessions + logged.length === 0) throw emptyLogError(file)
  for (const [index, session] of logged.entries()) {
    const id = session.id.startsWith('[') ? `${file}#${index}` : session.id
    yield asTrace(id, session.requests, rowsOf(needles, id))
  }
}

function sessionId(record: JsonObject, file: string, line: number): string {
  const id = record['id']
  return typeof id === 'string' || typeof id === 'number' ? String(id) : `${file}:${line}`
}

/** A trace that the needle file does not name has none, which is not the same as unknown. */
function rowsOf(needles: NeedleTable | undefined, id: string): readonly NeedleRow[] | undefined {
  return needles === undefined ? undefined : (needles.get(id) ?? [])
}
