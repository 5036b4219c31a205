import { expect, it } from 'vitest'
import { PrehendError } from '../core/index.ts'
import { codecFor, codecs } from './index.ts'

const said = '{"error":{"message":"it broke off"}}'

function refusedWith(status: number): PrehendError {
  return new PrehendError('upstream-refused', 'The provider refused.', { status, said, remedy: 'Send it again.' })
}

it.each(codecs.map(({ dialect, encodeError }) => ({ dialect, encodeError })))(
  '$dialect: a stream that was begun with 200 and ends in an error is the fault of the provider',
  ({ encodeError }) => {
    const body = encodeError(refusedWith(200), 'req_1')
    expect(body).toContain('it broke off')
    expect(body).toBe(encodeError(refusedWith(502), 'req_1'))
    expect(body).not.toMatch(/invalid|INVALID/)
  },
)

it('a Responses client finds a code in every error event', () => {
  const { encodeStreamError } = codecFor('openai-responses')
  const [event] = encodeStreamError(refusedWith(200), 'req_1')
  expect(JSON.parse(event!.data)).toMatchObject({
    type: 'error',
    code: 'server_error',
    error: { code: 'server_error' },
  })
})
