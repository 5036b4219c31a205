/** How a stream ends in version 2 of the AI SDK's specification of models, and in those after it. */
interface Part {
  readonly type: string
  readonly finishReason?: unknown
  readonly usage?: unknown
}

interface UsageBefore {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
}

/** Its last part as later versions have it. */
export function asLater(part: Part): Part {
  if (part.type !== 'finish' || typeof part.finishReason !== 'string') return part
  const { inputTokens: total, outputTokens, reasoningTokens, cachedInputTokens } = (part.usage ?? {}) as UsageBefore
  return {
    ...part,
    finishReason: { unified: part.finishReason, raw: part.finishReason },
    usage: {
      inputTokens: { total, cacheRead: cachedInputTokens },
      outputTokens: { total: outputTokens, reasoning: reasoningTokens },
      before: part.usage,
    },
  }
}

/** And as version 2 has it again. */
export function asBefore(part: Part): Part {
  if (part.type !== 'finish') return part
  const { unified } = part.finishReason as { readonly unified: string }
  const { before } = part.usage as { readonly before?: unknown }
  return { ...part, finishReason: unified, usage: before }
}
