/** Why a call has no result. */
export const toolFailureCodes = [
  'unknown-tool',
  'invalid-arguments',
  'out-of-scope',
  'quarantined',
  'unavailable',
  'not-executable',
  'timeout',
  'cancelled',
  'tool-error',
  'result-too-large',
] as const
export type ToolFailureCode = (typeof toolFailureCodes)[number]

/** An error of a call, in words that a model can act on. */
export interface ToolError {
  readonly code: ToolFailureCode
  readonly message: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** What to do about it. */
  readonly hint: string
}

/** Thrown by sources, and nowhere else. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly error: ToolError

  constructor(error: ToolError) {
    super(error.message)
    this.error = error
  }
}

export function unavailable(server: string, why: string): ToolFailure {
  return new ToolFailure({
    code: 'unavailable',
    message: `The server ${server} is unavailable: ${why}.`,
    retryable: true,
    hint: 'Go on with other tools, or try again in a minute.',
  })
}

export function toolError(message: string, retryable = false): ToolFailure {
  const hint = retryable ? 'Try again later.' : 'Read what the tool says, change the arguments and call it again.'
  return new ToolFailure({ code: 'tool-error', message, retryable, hint })
}

export function tooLarge(mostBytes: number): ToolFailure {
  return new ToolFailure({
    code: 'result-too-large',
    message: `The result has more than ${mostBytes} bytes.`,
    retryable: false,
    hint: 'Ask for less: a page, a range or fewer fields.',
  })
}
