import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { unanswered } from './form.ts'
import type { Found, FoundSession, Located } from './form.ts'
import type { TracePlace } from '../trace-error.ts'

export interface SessionLine {
  readonly line: JsonObject
  readonly place: TracePlace
}

/** The sessions of a file; one without an answer, at its beginning, where nothing in it was answered. */
export function answeredSessions(
  sessions: readonly FoundSession[],
  [first]: readonly Located[],
  { form, remedy }: { readonly form: string; readonly remedy: string },
): readonly Found[] {
  if (sessions.length > 0 || first === undefined) return sessions
  return [unanswered(first.place, `is a ${form} without an answer`, remedy)]
}

/** The objects among the values of a file. */
export function sessionLines(values: readonly Located[]): readonly SessionLine[] {
  return values.flatMap(({ value, place }) => (isJsonObject(value) ? [{ line: value, place }] : []))
}
