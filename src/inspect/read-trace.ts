import { isPrehendError } from '../core/index.ts'
import { withFoundNeedles } from './find-needles.ts'
import { formCounts } from './forms/form-counts.ts'
import { formsReader } from './forms/read-forms.ts'
import { readValues, valuesIn } from './forms/read-values.ts'
import { needleFileOf, readNeedles } from './needles.ts'
import { emptyLogError, requestLog, unansweredError } from './request-log.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { PrehendError } from '../core/index.ts'
import type { Located } from './forms/form.ts'
import type { ReadForm } from './forms/form-counts.ts'
import type { ReadFound } from './forms/read-forms.ts'
import type { NeedleRow, NeedleTable } from './needles.ts'
import type { UntimedRequest } from './session-record.ts'
import type { Trace } from './trace.ts'

export interface TraceOptions {
  /** Told of what cannot be read, which is then passed over; without it the first such thing is an error. */
  readonly onInvalid?: (error: PrehendError) => void
  /**
   * Told of sessions without an answer, which hold no request and are then passed over. Without it, a file of only such
   * sessions is an error.
   */
  readonly onUnanswered?: (error: PrehendError) => void
  /** Needles of sessions that have no needle file are found in their own messages. */
  readonly findNeedles?: 'always' | 'agents'
  /** Told at the end what the file held, by its forms. */
  readonly onForms?: (forms: readonly ReadForm[]) => void
}

/**
 * Reads a file of recorded sessions or requests in any form of `forms/all-forms.ts`, with the needles from the file
 * beside it. Requests are joined into sessions at the end of the file; sessions are handed out as they are read.
 */
export async function* readTrace(file: string, options: TraceOptions = {}): AsyncGenerator<Trace> {
  const needleFile = needleFileOf(file)
  const needles = needleFile === undefined ? undefined : await readNeedles(needleFile)
  const sessions = sessionsReader(file, options)
  const asTraceOf = ({ id, requests, ofAgent = false }: ReadSession): Trace => {
    const trace = asTrace(id, requests, rowsOf(needles, id))
    const isSearched = options.findNeedles === 'always' || (options.findNeedles === 'agents' && ofAgent)
    return isSearched ? withFoundNeedles(trace) : trace
  }
  for await (const located of readValues(file, sessions.onInvalid)) yield* sessions.add(located).map(asTraceOf)
  yield* sessions.end().map(asTraceOf)
}

/** The same of a text that is there as a whole; without needles. Throws `invalid-input` that names the line. */
export function parseTrace(text: string, name: string): readonly Trace[] {
  const sessions = sessionsReader(name, {})
  const read = valuesIn(name, text, sessions.onInvalid).flatMap((located) => sessions.add(located))
  return [...read, ...sessions.end()].map(({ id, requests }) => asTrace(id, requests))
}

interface ReadSession {
  readonly id: string
  readonly requests: readonly UntimedRequest[]
  readonly ofAgent?: boolean
}

interface SessionsReader {
  add(located: Located): readonly ReadSession[]
  end(): readonly ReadSession[]
  readonly onInvalid: (error: PrehendError) => void
}

function sessionsReader(file: string, { onInvalid = fail, onUnanswered, onForms }: TraceOptions): SessionsReader {
  const invalid: PrehendError[] = []
  const tell = (error: PrehendError): void => {
    invalid.push(error)
    onInvalid(error)
  }
  const log = requestLog()
  let unanswered = 0
  const pass = (error: PrehendError): void => {
    unanswered += 1
    onUnanswered?.(error)
  }
  const forms = formsReader(tell, onUnanswered && pass)
  const counts = formCounts()
  let sessions = 0

  const sessionOf = (read: ReadFound): readonly ReadSession[] => {
    const { found } = read
    try {
      if (found.kind === 'session') {
        const requests = sessionRequests(found.body, found.place, found)
        counts.add(read, requests.length)
        if (requests.length === 0) pass(unansweredError(found.place))
        else sessions += 1
        const { ofAgent = false } = read.form
        return requests.length === 0 ? [] : [{ id: found.id ?? `${file}:${found.place.line}`, requests, ofAgent }]
      }
      log.add(found)
      counts.add(read, 1)
    } catch (error) {
      if (!isPrehendError(error)) throw error
      tell(error)
    }
    return []
  }

  return {
    onInvalid: tell,
    add: (located) => forms.add(located).flatMap(sessionOf),
    end() {
      const last = forms.end().flatMap(sessionOf)
      const logged = log.sessions()
      if (sessions + logged.length === 0) {
        const error = emptyError(file, { invalid, unanswered, recognised: forms.recognised() })
        if (onUnanswered === undefined || invalid.length > 0) throw error
        if (unanswered === 0) onUnanswered(error)
        return []
      }
      onForms?.(counts.forms())
      // Sessions of a log that have no name are told apart by their numbers.
      const named = logged.map(({ id, requests }, at) => ({ id: id.startsWith('[') ? `${file}#${at}` : id, requests }))
      return [...last, ...named]
    },
  }
}

interface Empty {
  readonly invalid: readonly PrehendError[]
  readonly unanswered: number
  readonly recognised: readonly string[]
}

/** Of a file without a request. */
function emptyError(file: string, { invalid, unanswered, recognised }: Empty): PrehendError {
  if (unanswered > 0 && invalid.length === 0) return unansweredError({ file, line: 1, field: '' })
  return emptyLogError(file, invalid, recognised)
}

function fail(error: PrehendError): never {
  throw error
}

/** A trace that the needle file does not name has none, which is not the same as unknown. */
function rowsOf(needles: NeedleTable | undefined, id: string): readonly NeedleRow[] | undefined {
  return needles === undefined ? undefined : (needles.get(id) ?? [])
}
