import type { QualityBreach } from './quality.ts'

export const securityCauses = [
  'injection',
  'too-long',
  'policy-changed',
  'boundary-broken',
  'suspected-data',
  'surface',
] as const
/** Why a compile was refused for safety: what came in, or what would have gone out. */
export type SecurityCause = (typeof securityCauses)[number]

/** Every way Prehend refuses, with what a caller needs to act on it. */
export interface ErrorData {
  /** Input that is not what it should be. `field` is a path such as `messages[3].content`. */
  'invalid-input': { readonly field: string; readonly remedy: string }
  /** A body that is not JSON. */
  'invalid-json': { readonly field: string; readonly remedy: string; readonly offset: number }
  'body-too-large': { readonly limitBytes: number; readonly field: string; readonly remedy: string }
  /** Input with so many parts that reading it would hold everybody up. */
  'beyond-limits': { readonly field: string; readonly most: number; readonly remedy: string }
  'unknown-model': { readonly field: string; readonly remedy: string }
  'unauthorized': { readonly remedy: string }
  /** Who asks may not, whatever is asked. */
  'forbidden': { readonly remedy: string }
  'not-found': { readonly what: string; readonly remedy: string }
  /** The path is known, and the method is not one of `allow`. */
  'method-not-allowed': { readonly allow: readonly string[]; readonly remedy: string }
  /** A route of ours that this version does not have yet. */
  'not-implemented': { readonly remedy: string }
  /** Another protocol is asked for on the connection. */
  'no-upgrade': { readonly remedy: string }
  /** Fixed tiers exceed the window minus the reserve. */
  'budget-exhausted': {
    readonly neededTokens: number
    readonly availableTokens: number
    /** Only splitting the task would help: the figures need not be of the window. */
    readonly mustSplit?: true
    readonly traceId?: string
    readonly remedy: string
  }
  /** An assertion on the compiled pack failed. */
  'compile-assertion': { readonly assertion: string; readonly remedy: string; readonly traceId?: string }
  /** Refused by the policy's defense. `traceId` is the hash of the compile's input, as in receipts; the text itself is not told. */
  'security': {
    readonly cause: SecurityCause
    readonly itemId?: string
    readonly score?: number
    readonly reasons?: readonly string[]
    readonly traceId: string
    readonly remedy: string
  }
  /** A pack that its policy does not let out because measures are out of bounds; the first of them is the one that the message names. `traceId` as above. */
  'quality-gate': { readonly breaches: readonly QualityBreach[]; readonly traceId: string; readonly remedy: string }
  /** What a model said breaks constraints that are hard; `constraints` has their places in the list, or what they are about. */
  'reply-refused': { readonly constraints: readonly string[]; readonly remedy: string }
  'rate-limited': { readonly retryAfterMs?: number; readonly remedy: string; readonly limit?: string }
  /** Nothing is taken on just now. */
  'unavailable': { readonly retryAfterMs?: number; readonly remedy: string }
  /** No provider is configured that could answer. */
  'not-configured': { readonly provider: string; readonly remedy: string }
  /** `provider` and `host`: the one that was asked, where a provider was. */
  'upstream-unreachable': { readonly provider?: string; readonly host?: string; readonly remedy: string }
  'upstream-timeout': {
    readonly phase: 'connect' | 'first-byte' | 'idle' | 'content' | 'total'
    readonly remedy: string
  }
  'upstream-broken': { readonly remedy: string }
  /** A provider refused a request of ours where its status can no longer be passed on; `said` is the body of its answer. */
  'upstream-refused': { readonly status: number; readonly said: string; readonly remedy: string }
  /** `cause` is `full` where the disk has no room. */
  'store-failed': { readonly remedy: string; readonly server?: 'Redis'; readonly cause?: 'full' }
  /** Somebody else has changed what a write was decided upon; nothing was written. */
  'conflict': { readonly what: string; readonly remedy: string }
  /** What a request makes a condition of does not hold, such as that there is no artifact of that name. */
  'precondition-failed': { readonly remedy: string }
  /** Evidence names an artifact that the tenant does not have. */
  'evidence-missing': { readonly uri: string; readonly field: string; readonly remedy: string }
  /** A briefing that cannot be made valid, with what is wrong with it; no session was begun. */
  'handoff-invalid': { readonly faults: readonly string[]; readonly remedy: string }
  /** The model that writes briefings has failed; no session was begun. */
  'handoff-failed': { readonly remedy: string }
  'internal': { readonly remedy: string }
}

/** The codes of errors; `ErrorData` has the data of each. */
export type ErrorCode = keyof ErrorData

interface ErrorPlace {
  readonly httpStatus: number
  readonly exitCode: number
}

/** HTTP status and CLI exit code of every error code; a new code does not compile until it stands here. */
export const errorPlaces: { readonly [Code in ErrorCode]: ErrorPlace } = {
  'invalid-input': { httpStatus: 400, exitCode: 2 },
  'invalid-json': { httpStatus: 400, exitCode: 2 },
  'body-too-large': { httpStatus: 413, exitCode: 2 },
  'beyond-limits': { httpStatus: 413, exitCode: 2 },
  'unknown-model': { httpStatus: 404, exitCode: 2 },
  'unauthorized': { httpStatus: 401, exitCode: 3 },
  'forbidden': { httpStatus: 403, exitCode: 3 },
  'not-found': { httpStatus: 404, exitCode: 4 },
  'method-not-allowed': { httpStatus: 405, exitCode: 2 },
  'not-implemented': { httpStatus: 501, exitCode: 2 },
  'no-upgrade': { httpStatus: 426, exitCode: 2 },
  'budget-exhausted': { httpStatus: 422, exitCode: 5 },
  'compile-assertion': { httpStatus: 422, exitCode: 5 },
  'security': { httpStatus: 422, exitCode: 8 },
  'quality-gate': { httpStatus: 422, exitCode: 8 },
  'reply-refused': { httpStatus: 422, exitCode: 8 },
  'rate-limited': { httpStatus: 429, exitCode: 6 },
  'unavailable': { httpStatus: 503, exitCode: 6 },
  'not-configured': { httpStatus: 503, exitCode: 6 },
  'upstream-unreachable': { httpStatus: 502, exitCode: 6 },
  'upstream-timeout': { httpStatus: 504, exitCode: 6 },
  'upstream-broken': { httpStatus: 502, exitCode: 6 },
  'upstream-refused': { httpStatus: 502, exitCode: 6 },
  'store-failed': { httpStatus: 500, exitCode: 7 },
  'conflict': { httpStatus: 409, exitCode: 7 },
  'precondition-failed': { httpStatus: 412, exitCode: 7 },
  'evidence-missing': { httpStatus: 422, exitCode: 5 },
  'handoff-invalid': { httpStatus: 422, exitCode: 8 },
  'handoff-failed': { httpStatus: 502, exitCode: 6 },
  'internal': { httpStatus: 500, exitCode: 70 },
}

const brand: unique symbol = Symbol.for('prehend.error')

/** The only error Prehend throws on purpose. Recognise it with `isPrehendError`, not `instanceof`. */
export class PrehendError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PrehendError'
  readonly [brand] = true
  readonly code: Code
  readonly data: ErrorData[Code]

  constructor(code: Code, message: string, data: ErrorData[Code], cause?: unknown) {
    super(visible(message), cause === undefined ? undefined : { cause })
    this.code = code
    this.data = data
  }
}

/** Characters that nobody sees, or that turn the order of what follows: names in messages are those of callers. */
const acting = /[\0-\x08\x0B-\x1F\x7F-\x9F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

function visible(message: string): string {
  return message.replace(acting, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Also true for errors of another copy of this package. */
export function isPrehendError(error: unknown): error is PrehendError {
  return typeof error === 'object' && error !== null && brand in error
}

/** Bad input, named by field and remedy. */
export function invalidInput(field: string, message: string, remedy: string): PrehendError<'invalid-input'> {
  return new PrehendError('invalid-input', `${field}: ${message}. ${remedy}`, { field, remedy })
}

/** Several errors of bad input as one: a line for each, with the field and the remedy of the first. Another error goes before them. */
export function inOne(errors: readonly unknown[]): unknown {
  const other = errors.find((error) => !isPrehendError(error) || error.code !== 'invalid-input')
  const [first] = errors
  if (other !== undefined || errors.length < 2 || !isPrehendError(first)) return other ?? first
  const lines = errors.map((error) => (error as PrehendError).message)
  return new PrehendError('invalid-input', lines.join('\n'), (first as PrehendError<'invalid-input'>).data)
}

/** Input with more of something than is read. */
export function beyondLimits(field: string, what: string, most: number): PrehendError<'beyond-limits'> {
  const remedy = 'Send less in one request.'
  return new PrehendError('beyond-limits', `${field}: more than ${most} ${what}. ${remedy}`, { field, most, remedy })
}
