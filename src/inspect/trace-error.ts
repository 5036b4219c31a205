import { invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'

/** Where in a trace file something stands: the file, its line from 1, and a path into the record. */
export interface TracePlace {
  readonly file: string
  readonly line: number
  readonly field: string
}

export function traceError(place: TracePlace, problem: string, remedy: string): PrehendError<'invalid-input'> {
  const at = `${place.file}:${place.line}`
  return invalidInput(place.field === '' ? at : `${at} ${place.field}`, problem, remedy)
}

/** The place of a member inside the one given. */
export function inside(place: TracePlace, member: string | number): TracePlace {
  const step = typeof member === 'number' ? `[${member}]` : place.field === '' ? member : `.${member}`
  return { ...place, field: place.field + step }
}
