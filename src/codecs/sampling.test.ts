import { describe, expect, it } from 'vitest'
import { codecFor } from './index.ts'
import type { Dialect, JsonObject, Sampling } from '../core/index.ts'

const messages = [{ role: 'user', content: 'go' }]

function samplingOf(dialect: Dialect, members: JsonObject): Sampling {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages, ...members })
  return codecFor(dialect).decode({ body }).conversation.sampling
}

describe('sampling parameters', () => {
  it('are the same words for both dialects', () => {
    const openai = { temperature: 0.2, top_p: 0.9, stop: ['END'], parallel_tool_calls: false, tool_choice: 'required' }
    const choice = { type: 'any', disable_parallel_tool_use: true }
    const anthropic = { temperature: 0.2, top_p: 0.9, stop_sequences: ['END'], tool_choice: choice }
    expect(samplingOf('openai-chat', openai)).toEqual(samplingOf('anthropic-messages', anthropic))
    expect(samplingOf('openai-chat', openai)).toEqual({
      temperature: 0.2,
      topP: 0.9,
      stop: ['END'],
      toolChoice: 'required',
      parallelToolCalls: false,
    })
  })

  it('name the tool that has to be called', () => {
    const openai = samplingOf('openai-chat', { tool_choice: { type: 'function', function: { name: 'read' } } })
    const anthropic = samplingOf('anthropic-messages', { tool_choice: { type: 'tool', name: 'read' } })
    expect([openai, anthropic]).toEqual([{ toolChoice: { name: 'read' } }, { toolChoice: { name: 'read' } }])
  })

  it('are read where one dialect alone has them, and a single stop word is a list of one', () => {
    expect(samplingOf('openai-chat', { seed: 7, stop: 'END' })).toEqual({ seed: 7, stop: ['END'] })
    expect(samplingOf('anthropic-messages', { top_k: 5 })).toEqual({ topK: 5 })
  })

  it('of another type are left to the provider, which has its own words for them', () => {
    expect(samplingOf('openai-chat', { temperature: 'hot', stop: [1], tool_choice: 4 })).toEqual({})
    expect(samplingOf('anthropic-messages', { tool_choice: { type: 'some' }, top_p: null })).toEqual({})
  })
})
