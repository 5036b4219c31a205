import { PrehendError } from './errors.ts'
import type { ErrorCode, ErrorData } from './errors.ts'

/** An error on its way between threads: a class does not survive it. */
export interface SentError {
  readonly code: ErrorCode
  readonly message: string
  readonly data: ErrorData[ErrorCode]
}

export function sentError({ code, message, data }: PrehendError): SentError {
  return { code, message, data }
}

export function receivedError({ code, message, data }: SentError): PrehendError {
  return new PrehendError(code, message, data)
}
