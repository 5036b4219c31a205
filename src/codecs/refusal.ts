import type { ErrorData, JsonObject, PrehendError } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { failureOf, parseData } from './reply-body.ts'

/** What a provider has refused with: its own error, with a message at least. */
export interface Refusal {
  readonly status: number
  readonly error: JsonObject & { readonly message: string }
  /** The provider's name of the request. */
  readonly requestId?: string
}

/** The provider's refusal that an error passes on; undefined for an error of our own. */
export function refusalIn({ data }: PrehendError): Refusal | undefined {
  if (!('said' in data)) return undefined
  const { status, said }: ErrorData['upstream-refused'] = data
  const body = parseData(said)
  const { error, request_id: requestId } = isJsonObject(body) ? body : {}
  const message =
    error === undefined
      ? said.slice(0, mostChars)
      : failureOf(typeof error === 'string' ? { message: error } : error).message
  return {
    // A stream that the provider has begun with 200 may end in an error: the fault is the provider's.
    status: status < 400 ? 502 : status,
    error: { ...(isJsonObject(error) ? error : {}), message: message || `The provider answered ${status}.` },
    ...(typeof requestId === 'string' && { requestId }),
  }
}

/** Of what is no error of a dialect, such as a proxy's page. */
const mostChars = 500
