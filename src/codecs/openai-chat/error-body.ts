import type { ErrorCode, PrehendError } from '../../core/index.ts'
import { clientMessage } from '../client-status.ts'
import { refusalIn } from '../refusal.ts'

interface ErrorNames {
  readonly type: string
  readonly code: string | null
}

/** Clients decide by these names whether to try again. */
const names: { readonly [Code in ErrorCode]: ErrorNames } = {
  'invalid-input': { type: 'invalid_request_error', code: null },
  'invalid-json': { type: 'invalid_request_error', code: null },
  'body-too-large': { type: 'invalid_request_error', code: null },
  'beyond-limits': { type: 'invalid_request_error', code: null },
  'unknown-model': { type: 'invalid_request_error', code: 'model_not_found' },
  'unauthorized': { type: 'invalid_request_error', code: 'invalid_api_key' },
  'forbidden': { type: 'invalid_request_error', code: 'forbidden' },
  'not-found': { type: 'invalid_request_error', code: 'not_found' },
  'not-implemented': { type: 'invalid_request_error', code: 'not_implemented' },
  'method-not-allowed': { type: 'invalid_request_error', code: 'method_not_allowed' },
  'no-upgrade': { type: 'invalid_request_error', code: 'no_upgrade' },
  'budget-exhausted': { type: 'invalid_request_error', code: 'context_length_exceeded' },
  'compile-assertion': { type: 'invalid_request_error', code: 'compile_assertion' },
  'security': { type: 'invalid_request_error', code: 'security' },
  'quality-gate': { type: 'invalid_request_error', code: 'quality_gate' },
  'reply-refused': { type: 'invalid_request_error', code: 'reply_refused' },
  'handoff-invalid': { type: 'invalid_request_error', code: 'handoff_invalid' },
  'handoff-failed': { type: 'server_error', code: 'handoff_failed' },
  'rate-limited': { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  'unavailable': { type: 'server_error', code: 'unavailable' },
  'not-configured': { type: 'server_error', code: 'provider_not_configured' },
  'upstream-unreachable': { type: 'server_error', code: 'upstream_unreachable' },
  'upstream-timeout': { type: 'server_error', code: 'upstream_timeout' },
  'upstream-broken': { type: 'server_error', code: 'upstream_broken' },
  'upstream-refused': { type: 'server_error', code: 'upstream_refused' },
  'store-failed': { type: 'server_error', code: 'store_failed' },
  'conflict': { type: 'server_error', code: 'conflict' },
  'precondition-failed': { type: 'invalid_request_error', code: 'precondition_failed' },
  'evidence-missing': { type: 'invalid_request_error', code: 'evidence_missing' },
  'internal': { type: 'server_error', code: 'internal_error' },
}

/** The names of a provider's refusals, where it gives none. */
const refusals: Readonly<Record<number, ErrorNames>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
}

function tooLong(needed: number, available: number): string {
  return `This model's maximum context length is ${available} tokens. However, your messages resulted in ${needed} tokens.`
}

export function openaiErrorBody(error: PrehendError): string {
  const refusal = refusalIn(error)
  if (refusal) {
    const { status } = refusal
    const { message, ...rest } = refusal.error
    const named = refusals[status] ?? { type: status < 500 ? 'invalid_request_error' : 'server_error', code: null }
    return JSON.stringify({ error: { message, type: named.type, param: null, code: named.code, ...rest } })
  }
  const { type, code } = names[error.code]
  const param = 'field' in error.data ? error.data.field : null
  return JSON.stringify({ error: { message: clientMessage(error, tooLong), type, param, code } })
}
