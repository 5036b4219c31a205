import type { ErrorCode, PrehendError } from '../../core/index.ts'
import { clientMessage, clientStatus } from '../client-status.ts'
import { refusalIn } from '../refusal.ts'

/** Clients decide by these names whether to try again. */
const statuses: { readonly [Code in ErrorCode]: string } = {
  'invalid-input': 'INVALID_ARGUMENT',
  'invalid-json': 'INVALID_ARGUMENT',
  'body-too-large': 'INVALID_ARGUMENT',
  'beyond-limits': 'INVALID_ARGUMENT',
  'unknown-model': 'NOT_FOUND',
  'unauthorized': 'UNAUTHENTICATED',
  'forbidden': 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  'not-implemented': 'UNIMPLEMENTED',
  'method-not-allowed': 'INVALID_ARGUMENT',
  'no-upgrade': 'INVALID_ARGUMENT',
  'budget-exhausted': 'INVALID_ARGUMENT',
  'compile-assertion': 'INVALID_ARGUMENT',
  'security': 'FAILED_PRECONDITION',
  'quality-gate': 'FAILED_PRECONDITION',
  'reply-refused': 'FAILED_PRECONDITION',
  'handoff-invalid': 'FAILED_PRECONDITION',
  'handoff-failed': 'INTERNAL',
  'rate-limited': 'RESOURCE_EXHAUSTED',
  'unavailable': 'UNAVAILABLE',
  'not-configured': 'INTERNAL',
  'upstream-unreachable': 'UNAVAILABLE',
  'upstream-timeout': 'DEADLINE_EXCEEDED',
  'upstream-broken': 'INTERNAL',
  'upstream-refused': 'INTERNAL',
  'store-failed': 'INTERNAL',
  'conflict': 'ABORTED',
  'precondition-failed': 'FAILED_PRECONDITION',
  'evidence-missing': 'FAILED_PRECONDITION',
  'internal': 'INTERNAL',
}

/** The kinds of a provider's refusals, where it names none. */
const refusals: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const detailType = 'type.googleapis.com/google.rpc'

function tooLong(needed: number, available: number): string {
  return `The input token count (${needed}) exceeds the maximum number of tokens allowed (${available}).`
}

export function geminiErrorBody(error: PrehendError, requestId: string): string {
  const refusal = refusalIn(error)
  if (refusal) {
    const { status: code } = refusal
    const status = refusals[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
    return JSON.stringify({ error: { code, status, ...refusal.error } })
  }
  const { code, data } = error
  const message = clientMessage(error, tooLong)
  const details = [
    ...('field' in data
      ? [{ '@type': `${detailType}.BadRequest`, 'fieldViolations': [{ field: data.field, description: message }] }]
      : []),
    { '@type': `${detailType}.RequestInfo`, requestId },
  ]
  return JSON.stringify({ error: { code: clientStatus(error), message, status: statuses[code], details } })
}
