import type { Dialect, JsonObject, PrehendError } from '../../core/index.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'

/** A JSON value of a file, and where it stands there. */
export interface Located {
  readonly value: unknown
  readonly place: TracePlace
}

/** One request body in one of the dialects. */
export interface FoundRequest {
  readonly kind: 'request'
  readonly body: JsonObject
  readonly place: TracePlace
  /** Detected from the body where absent. */
  readonly dialect?: Dialect | undefined
  /** Requests with the same name are one session. Without it, requests with the same opening messages are. */
  readonly session?: string | undefined
  /** When it was sent, in milliseconds since 1970. */
  readonly atMs?: number | undefined
}

/** A whole conversation as one body, answers included; every answer stands for one request. */
export interface FoundSession {
  readonly kind: 'session'
  /** Named by its place where absent. */
  readonly id?: string | undefined
  /** Its messages may carry a time in `ts`. */
  readonly body: JsonObject
  readonly place: TracePlace
  readonly dialect?: Dialect | undefined
  /** How many of the first answers another session of the file has already: those of the branch that this one left. */
  readonly sharedAnswers?: number
}

/** A session that no model answered, such as one whose user quit before the first answer: it holds no request. */
export interface Unanswered {
  readonly kind: 'unanswered'
  /** Says what is missing and what to do, for callers that need an answer. */
  readonly error: PrehendError
}

export type Found = FoundRequest | FoundSession | Unanswered

export function unanswered(place: TracePlace, problem: string, remedy: string): Unanswered {
  return { kind: 'unanswered', error: traceError(place, problem, remedy) }
}

/** A kind of file that people have. To add one: one file in this folder and its line in `all-forms.ts`. */
export interface Form {
  /** What a person calls it, as in "Claude Code session". */
  readonly name: string
  /** True where values depend on each other: `read` is then given all of a file at once. */
  readonly isWhole?: boolean
  /** True where a document of this form may be one request body as it is sent. */
  readonly isBody?: boolean
  /** True of files in which an agent keeps its sessions. */
  readonly ofAgent?: boolean
  /** Whether a line of a JSONL file, or a whole JSON document, is of this form. */
  recognise(value: unknown): boolean
  /** Throws `invalid-input` that says what is missing and what to do. */
  read(values: readonly Located[]): readonly Found[]
}
