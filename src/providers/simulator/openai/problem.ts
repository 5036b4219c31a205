import type { ProviderProblem } from '../wire.ts'

export function refused(message: string, param?: string, code?: string): ProviderProblem {
  return {
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  }
}
