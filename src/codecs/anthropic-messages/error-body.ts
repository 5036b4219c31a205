import type { ErrorCode, PrehendError } from '../../core/index.ts'
import { clientMessage } from '../client-status.ts'
import { refusalIn } from '../refusal.ts'

/** Clients decide by these names whether to try again. */
const types: { readonly [Code in ErrorCode]: string } = {
  'invalid-input': 'invalid_request_error',
  'invalid-json': 'invalid_request_error',
  'body-too-large': 'request_too_large',
  'beyond-limits': 'request_too_large',
  'unknown-model': 'not_found_error',
  'unauthorized': 'authentication_error',
  'forbidden': 'permission_error',
  'not-found': 'not_found_error',
  'not-implemented': 'invalid_request_error',
  'method-not-allowed': 'invalid_request_error',
  'no-upgrade': 'invalid_request_error',
  'budget-exhausted': 'invalid_request_error',
  'compile-assertion': 'invalid_request_error',
  'security': 'invalid_request_error',
  'quality-gate': 'invalid_request_error',
  'reply-refused': 'invalid_request_error',
  'handoff-invalid': 'invalid_request_error',
  'handoff-failed': 'api_error',
  'rate-limited': 'rate_limit_error',
  'unavailable': 'overloaded_error',
  'not-configured': 'api_error',
  'upstream-unreachable': 'api_error',
  'upstream-timeout': 'timeout_error',
  'upstream-broken': 'api_error',
  'upstream-refused': 'api_error',
  'store-failed': 'api_error',
  'conflict': 'api_error',
  'precondition-failed': 'invalid_request_error',
  'evidence-missing': 'invalid_request_error',
  'internal': 'api_error',
}

/** The types of a provider's refusals, where it names none. */
const refusals: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function tooLong(needed: number, available: number): string {
  return `prompt is too long: ${needed} tokens > ${available} maximum.`
}

export function anthropicErrorBody(error: PrehendError, requestId: string): string {
  const refusal = refusalIn(error)
  if (refusal) {
    const { status } = refusal
    const type = refusals[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
    return JSON.stringify({
      type: 'error',
      error: { type, ...refusal.error },
      request_id: refusal.requestId ?? requestId,
    })
  }
  return JSON.stringify({
    type: 'error',
    error: { type: types[error.code], message: clientMessage(error, tooLong) },
    request_id: requestId,
  })
}
