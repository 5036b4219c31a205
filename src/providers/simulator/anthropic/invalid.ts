import type { ProviderProblem } from '../wire.ts'

export function invalid(message: string): ProviderProblem {
  return { status: 400, type: 'invalid_request_error', message }
}
