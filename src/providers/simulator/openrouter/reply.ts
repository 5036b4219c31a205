import type { JsonObject } from '../../../core/index.ts'
import { priceOf } from '../../../tokens/index.ts'
import type { Chunk, Completion } from '../dialect.ts'
import { finishReason, joined, refusalText, toolCalls } from '../openai/reply.ts'
import { saidDeltas } from '../openai/stream.ts'
import { sseEvent } from '../sse.ts'
import type { ProviderProblem } from '../wire.ts'
import { routedError } from './problems.ts'
import { reasoningEnds, reasoningOf, reasoningPiece } from './reasoning.ts'

/** Whatever the provider, the answer has one form. */
export function routedCompletion(completion: Completion): JsonObject {
  const { parts, stop } = completion
  const text = joined(parts, 'text')
  const calls = toolCalls(completion)
  const isRefused = stop === 'refusal'
  const message = {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || isRefused) ? null : text,
    refusal: isRefused ? refusalText : null,
    ...reasoningOf(completion),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    ...envelope(completion, 'chat.completion'),
    system_fingerprint: null,
    choices: [{ logprobs: null, ...finished(completion), index: 0, message }],
    usage: routedUsage(completion),
  }
}

/** Chunks with a word now and then for those who wait; usage comes unasked. */
export function routedChunks(completion: Completion): readonly Chunk[] {
  const { stop } = completion
  const frame = envelope(completion, 'chat.completion.chunk')
  const choice = (delta: JsonObject, tokens = 0, finish: JsonObject = unfinished): Chunk => ({
    data: sseEvent({
      ...frame,
      choices: [{ index: 0, delta: { role: 'assistant', ...delta }, ...finish, logprobs: null }],
    }),
    tokens,
  })
  const thought = (text: string): JsonObject | undefined => reasoningPiece(completion, text)
  return [
    { data: ': OPENROUTER PROCESSING\n\n', tokens: 0 },
    ...reasoningEnds(completion, saidDeltas(completion, thought)).map(({ delta, tokens }) =>
      choice({ content: '', ...delta }, tokens),
    ),
    ...(stop === 'refusal' ? [choice({ content: '', refusal: refusalText })] : []),
    choice({ content: '' }, 0, finished(completion)),
    { data: sseEvent({ ...frame, choices: [], usage: routedUsage(completion) }), tokens: 0 },
    { data: 'data: [DONE]\n\n', tokens: 0 },
  ]
}

/** The end of a stream that fails: a chunk like the others, with the error in it. */
export function routedErrorChunk(problem: ProviderProblem, completion: Completion): JsonObject {
  const { error = null } = routedError(problem)
  const delta = { role: 'assistant', content: '' }
  const choice = { index: 0, delta, finish_reason: 'error', native_finish_reason: null, logprobs: null }
  return { ...envelope(completion, 'chat.completion.chunk'), error, choices: [choice] }
}

const unfinished: JsonObject = { finish_reason: null, native_finish_reason: null }

function finished(completion: Completion): JsonObject {
  const reason = finishReason(completion)
  return { finish_reason: reason, native_finish_reason: reason }
}

function envelope({ id, createdMs, call }: Completion, object: string): JsonObject {
  return { id, provider: call.endpoint ?? '', model: call.model.id, object, created: Math.floor(createdMs / 1000) }
}

/** What was used, and what it costs. */
export function routedUsage(completion: Completion): JsonObject {
  const { usage, thinkingTokens } = completion
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...costOf(completion),
    prompt_tokens_details: {
      cached_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
      audio_tokens: 0,
      video_tokens: 0,
    },
    completion_tokens_details: { reasoning_tokens: thinkingTokens, image_tokens: 0 },
  }
}

/** In dollars. */
export function costOf({ usage, call }: Completion): JsonObject {
  const whole = priceOf(usage, call.model.info) ?? 0
  const prompt = priceOf({ ...usage, outputTokens: 0 }, call.model.info) ?? 0
  return {
    cost: whole,
    is_byok: false,
    cost_details: {
      upstream_inference_cost: null,
      upstream_inference_prompt_cost: prompt,
      upstream_inference_completions_cost: whole - prompt,
    },
  }
}
