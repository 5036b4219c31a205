import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import type { Located } from './form.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'

export interface SessionLine {
  readonly line: JsonObject
  readonly place: TracePlace
}

/** The sessions of a file, or an error at its beginning where nothing in it was answered. */
export function answeredSessions<Session>(
  sessions: readonly Session[],
  [first]: readonly Located[],
  { form, remedy }: { readonly form: string; readonly remedy: string },
): readonly Session[] {
  if (sessions.length === 0 && first) throw traceError(first.place, `is a ${form} without an answer`, remedy)
  return sessions
}

/** The objects among the values of a file. */
export function sessionLines(values: readonly Located[]): readonly SessionLine[] {
  return values.flatMap(({ value, place }) => (isJsonObject(value) ? [{ line: value, place }] : []))
}
