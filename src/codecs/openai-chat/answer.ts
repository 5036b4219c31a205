import type { Answer, WrittenAnswer } from '../answer.ts'

/** A completion that ends in order. */
export function writeAnswer(answer: Answer): WrittenAnswer {
  const { id, model, text, toolCalls = [], createdMs } = answer
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const frame = { id, created: Math.floor(createdMs / 1000), model }
  const usage = usageOf(answer)
  const message = { role: 'assistant', content: text, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) }
  const choice = { index: 0, message, logprobs: null, finish_reason }
  const chunk = (delta: object, finish: string | null): string =>
    JSON.stringify({
      ...frame,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    })
  const deltas = calls.map((call, index) => ({ index, ...call }))
  const said = { role: 'assistant', content: text, ...(deltas.length > 0 && { tool_calls: deltas }) }
  return {
    body: JSON.stringify({ ...frame, object: 'chat.completion', choices: [choice], usage }),
    events: [
      { data: chunk(said, null) },
      { data: chunk({}, finish_reason) },
      { data: JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices: [], usage }) },
      { data: '[DONE]' },
    ],
  }
}

function usageOf({ usage }: Answer): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage ?? {}
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  }
}
