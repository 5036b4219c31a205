import { expect, it } from 'vitest'
import { failureStatus } from './failure-status.ts'

it.each([
  ['502', 502],
  ['overloaded_error', 529],
  ['UNAVAILABLE', 503],
  ['RESOURCE_EXHAUSTED', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['DEADLINE_EXCEEDED', 504],
  ['invalid_request_error', 400],
  ['INVALID_ARGUMENT', 400],
  ['server_error', 502],
  ['api_error', 502],
  ['200', 502],
  ['error', 502],
])('%s is a %i', (type, status) => {
  expect(failureStatus({ type })).toBe(status)
})
