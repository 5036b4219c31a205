import { describe, expect, it } from 'vitest'
import { errorPlaces, invalidInput, isPrehendError, PrehendError } from './errors.ts'

describe('PrehendError', () => {
  it('carries a code, typed data, a message for people and its cause', () => {
    const cause = new Error('disk full')
    const error = new PrehendError('store-failed', 'The store could not be written.', { remedy: 'Free space.' }, cause)
    expect(error).toMatchObject({ name: 'PrehendError', code: 'store-failed', data: { remedy: 'Free space.' }, cause })
    expect(error).toBeInstanceOf(Error)
  })

  it('is known by its brand, also when it comes from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('prehend.error')]: true, code: 'internal' })
    const others = [new Error('x'), { code: 'internal' }, null, undefined, 'PrehendError']
    expect([foreign, invalidInput('a', 'b', 'c'), ...others].map(isPrehendError)).toEqual([
      true,
      true,
      ...others.map(() => false),
    ])
  })

  it('bad input names field and remedy, in data and in words', () => {
    const error = invalidInput('budget.windowTokens', 'is not a size', 'Give a whole number.')
    expect(error.data).toEqual({ field: 'budget.windowTokens', remedy: 'Give a whole number.' })
    expect(error.message).toBe('budget.windowTokens: is not a size. Give a whole number.')
  })

  it('shows characters of a caller that would turn or hide what follows', () => {
    const { message } = invalidInput('items[0].section', 'there is no section ev\u202Eidence\u200B', 'Use evidence.')
    expect(message).toBe('items[0].section: there is no section ev\\u202eidence\\u200b. Use evidence.')
  })

  it('P-037: what the caller did wrong is a 4xx, what we or the provider did is a 5xx, and no error exits with 0', () => {
    const ours = [
      'store-failed',
      'internal',
      'upstream-unreachable',
      'upstream-timeout',
      'upstream-broken',
      'upstream-refused',
      'handoff-failed',
      'unavailable',
      'not-configured',
      'not-implemented',
    ]
    for (const [code, { httpStatus, exitCode }] of Object.entries(errorPlaces)) {
      expect([code, Math.floor(httpStatus / 100)]).toEqual([code, ours.includes(code) ? 5 : 4])
      expect(exitCode).toBeGreaterThan(0)
    }
  })
})
