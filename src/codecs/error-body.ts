import type { ErrorCode, PrehendError } from '../core/index.ts'

interface DialectError {
  readonly anthropicType: string
  readonly openaiType: string
  readonly openaiCode: string | null
}

const invalid = { anthropicType: 'invalid_request_error', openaiType: 'invalid_request_error' } as const
const server = { anthropicType: 'api_error', openaiType: 'server_error' } as const

/** How each error is called in the dialects; clients decide by these names whether to try again. */
const names: { readonly [Code in ErrorCode]: DialectError } = {
  'invalid-input': { ...invalid, openaiCode: null },
  'invalid-json': { ...invalid, openaiCode: null },
  'body-too-large': { anthropicType: 'request_too_large', openaiType: 'invalid_request_error', openaiCode: null },
  'unknown-model': {
    anthropicType: 'not_found_error',
    openaiType: 'invalid_request_error',
    openaiCode: 'model_not_found',
  },
  'unauthorized': {
    anthropicType: 'authentication_error',
    openaiType: 'invalid_request_error',
    openaiCode: 'invalid_api_key',
  },
  'not-found': { anthropicType: 'not_found_error', openaiType: 'invalid_request_error', openaiCode: 'not_found' },
  'budget-exhausted': { ...invalid, openaiCode: 'context_length_exceeded' },
  'compile-assertion': { ...invalid, openaiCode: 'compile_assertion' },
  'rate-limited': {
    anthropicType: 'rate_limit_error',
    openaiType: 'rate_limit_error',
    openaiCode: 'rate_limit_exceeded',
  },
  'upstream-unreachable': { ...server, openaiCode: 'upstream_unreachable' },
  'upstream-timeout': { anthropicType: 'timeout_error', openaiType: 'server_error', openaiCode: 'upstream_timeout' },
  'upstream-broken': { ...server, openaiCode: 'upstream_broken' },
  'store-failed': { ...server, openaiCode: 'store_failed' },
  'conflict': { ...server, openaiCode: 'conflict' },
  'internal': { ...server, openaiCode: 'internal_error' },
}

export function openaiErrorBody(error: PrehendError): string {
  const { openaiType, openaiCode } = names[error.code]
  const param = 'field' in error.data ? error.data.field : null
  return JSON.stringify({ error: { message: error.message, type: openaiType, param, code: openaiCode } })
}

export function anthropicErrorBody(error: PrehendError, requestId: string): string {
  const { anthropicType } = names[error.code]
  return JSON.stringify({
    type: 'error',
    error: { type: anthropicType, message: error.message },
    request_id: requestId,
  })
}
