import { expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { keyHeaders } from './key-headers.ts'

it('knows how each provider wants its key', () => {
  expect(keyHeaders(codecFor('anthropic-messages'), 'k', 'anthropic')).toEqual({ 'x-api-key': 'k' })
  expect(keyHeaders(codecFor('anthropic-messages'), 'k', 'openrouter')).toEqual({
    'x-api-key': 'k',
    'authorization': 'Bearer k',
  })
  expect(keyHeaders(codecFor('openai-chat'), 'k', 'groq')).toEqual({ authorization: 'Bearer k' })
})
