import { describe, expect, it } from 'vitest'
import { PrehendError, invalidInput } from '../core/index.ts'
import { codecFor } from './index.ts'

const error = invalidInput('messages[3].content', 'expected a string', 'Send a string.')

describe('errors', () => {
  it('carry all four keys in the OpenAI dialect', () => {
    const body = JSON.parse(codecFor('openai-chat').encodeError(error, 'req_1'))
    expect(body).toEqual({
      error: { message: error.message, type: 'invalid_request_error', param: 'messages[3].content', code: null },
    })
  })

  it('name the body where all of it is of the wrong type', () => {
    for (const dialect of ['openai-chat', 'anthropic-messages'] as const) {
      for (const body of ['[]', 'null', '"text"']) {
        expect(() => codecFor(dialect).decode({ body })).toThrow(
          expect.objectContaining({ data: { field: 'body', remedy: 'Send an object.' } }),
        )
      }
    }
  })

  it('carry type and request id in the Anthropic dialect', () => {
    const body = JSON.parse(codecFor('anthropic-messages').encodeError(error, 'req_1'))
    expect(body).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: error.message },
      request_id: 'req_1',
    })
  })

  it('end a stream as an event that both readers take for a failure', () => {
    const late = new PrehendError('upstream-timeout', 'too late', { phase: 'idle', remedy: 'Try again.' })
    for (const dialect of ['openai-chat', 'anthropic-messages'] as const) {
      const codec = codecFor(dialect)
      const reducer = codec.reducer()
      const events = codec.encodeStreamError(late, 'req_1')
      const reply = reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
      expect(reply.failure?.message).toBe('too late')
    }
  })
})
