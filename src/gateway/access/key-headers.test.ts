import { expect, it } from 'vitest'
import { keyHeaders } from './key-headers.ts'

it('knows how each provider wants its key', () => {
  expect(keyHeaders('anthropic-messages', 'k', 'anthropic')).toEqual({ 'x-api-key': 'k' })
  expect(keyHeaders('anthropic-messages', 'k', 'openrouter')).toEqual({ 'x-api-key': 'k', 'authorization': 'Bearer k' })
  expect(keyHeaders('openai-chat', 'k', 'groq')).toEqual({ authorization: 'Bearer k' })
})
