import type { ErrorCode, PrehendError } from '../../core/index.ts'

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
  'no-upgrade': 'invalid_request_error',
  'budget-exhausted': 'invalid_request_error',
  'compile-assertion': 'invalid_request_error',
  'rate-limited': 'rate_limit_error',
  'not-configured': 'api_error',
  'upstream-unreachable': 'api_error',
  'upstream-timeout': 'timeout_error',
  'upstream-broken': 'api_error',
  'store-failed': 'api_error',
  'conflict': 'api_error',
  'internal': 'api_error',
}

export function anthropicErrorBody(error: PrehendError, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: { type: types[error.code], message: error.message },
    request_id: requestId,
  })
}
