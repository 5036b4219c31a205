import { expect, it } from 'vitest'
import { knownEndpoint } from '../../providers/index.ts'
import { keyHeaders } from './key-headers.ts'

it('knows how each provider wants its key', () => {
  expect(keyHeaders(knownEndpoint('anthropic').dialect, 'k')).toEqual({ 'x-api-key': 'k' })
  expect(keyHeaders(knownEndpoint('groq').dialect, 'k')).toEqual({ authorization: 'Bearer k' })
})
