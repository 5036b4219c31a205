import { describe, expect, it } from 'vitest'
import { anthropicUsage } from './anthropic-messages/usage.ts'
import { openaiUsage } from './openai-chat/usage.ts'

describe('anthropicUsage', () => {
  it('adds what was cached to the input, and splits long writes', () => {
    const usage = anthropicUsage({
      input_tokens: 8,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
      cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
    })
    expect(usage).toEqual({
      inputTokens: 1108,
      outputTokens: 50,
      cacheReadTokens: 1000,
      cacheWriteTokens: 100,
      cacheWriteLongTokens: 40,
      reasoningTokens: 20,
    })
  })

  it('adds iterations that compacted, which the totals leave out', () => {
    const iteration = { cache_read_input_tokens: 5, cache_creation_input_tokens: 0 }
    const usage = anthropicUsage({
      input_tokens: 10,
      output_tokens: 3,
      cache_read_input_tokens: 0,
      iterations: [
        { ...iteration, type: 'compaction', input_tokens: 1000, output_tokens: 200 },
        { ...iteration, type: 'message', input_tokens: 10, output_tokens: 3 },
        { ...iteration, type: 'advisor_message', input_tokens: 7, output_tokens: 7 },
      ],
    })
    expect(usage).toEqual({ inputTokens: 1015, outputTokens: 203, cacheReadTokens: 5 })
  })

  it('leaves out what was not reported instead of saying 0', () => {
    expect(anthropicUsage({ input_tokens: 1, output_tokens: 2 })).toEqual({ inputTokens: 1, outputTokens: 2 })
    expect(anthropicUsage({})).toBeUndefined()
    expect(anthropicUsage(undefined)).toBeUndefined()
    expect(anthropicUsage({ input_tokens: -1, output_tokens: 'many' })).toBeUndefined()
  })
})

describe('openaiUsage', () => {
  it('C-009: reads cached tokens, which the prompt tokens hold already', () => {
    const usage = openaiUsage({
      prompt_tokens: 2006,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 1920, cache_write_tokens: 50 },
      completion_tokens_details: { reasoning_tokens: 100 },
    })
    expect(usage).toEqual({
      inputTokens: 2006,
      outputTokens: 300,
      cacheReadTokens: 1920,
      cacheWriteTokens: 50,
      reasoningTokens: 100,
    })
  })

  it("reads DeepSeek's hits when there are no details", () => {
    const usage = openaiUsage({
      prompt_tokens: 339,
      completion_tokens: 92,
      prompt_cache_hit_tokens: 320,
      prompt_cache_miss_tokens: 19,
    })
    expect(usage).toEqual({ inputTokens: 339, outputTokens: 92, cacheReadTokens: 320 })
  })

  it("knows Alibaba's name for what was written", () => {
    const details = { cached_tokens: 10, cache_creation_input_tokens: 80, cache_type: 'ephemeral' }
    const usage = openaiUsage({ prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: details })
    expect(usage).toEqual({ inputTokens: 100, outputTokens: 5, cacheReadTokens: 10, cacheWriteTokens: 80 })
  })

  it('leaves out what was not reported', () => {
    expect(openaiUsage({ prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: null })).toEqual({
      inputTokens: 3,
      outputTokens: 4,
    })
    expect(openaiUsage(null)).toBeUndefined()
  })
})
