import type { Answer, WrittenAnswer } from '../answer.ts'

/** A reply that ends in order; its stream is one chunk. */
export function writeAnswer(answer: Answer): WrittenAnswer {
  const { id, model, text, toolCalls = [], usage, createdMs } = answer
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens, reasoningTokens } = usage ?? {}
  const calls = toolCalls.map((call) => {
    return { functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) as unknown } }
  })
  const parts = [...(text === '' && calls.length > 0 ? [] : [{ text }]), ...calls]
  const body = JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
      totalTokenCount: inputTokens + outputTokens,
      ...(cacheReadTokens !== undefined && { cachedContentTokenCount: cacheReadTokens }),
      ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
    },
    modelVersion: model,
    createTime: new Date(createdMs).toISOString(),
    responseId: id,
  })
  return { body, events: [{ data: body }] }
}
