import type { JsonObject } from '../../core/index.ts'
import type { LlmResponse, Part } from './types.ts'

/** What a model says in one round: of a stream the parts that are whole. */
export interface Round {
  add(response: LlmResponse): void
  /** Whether nothing whole has come. */
  readonly isEmpty: boolean
  /** Whether the provider has said why it stopped: nothing of weight comes after that. */
  readonly isOver: boolean
  /** As the provider's own reply. */
  body(): JsonObject
  /** One response in place of all, with these parts. */
  withParts(parts: readonly Part[]): LlmResponse
}

export function newRound(): Round {
  const responses: LlmResponse[] = []
  /** What each has told last. */
  const told = (): LlmResponse => {
    const members = responses.flatMap((response) => Object.entries(response).filter(([, value]) => value !== undefined))
    return Object.fromEntries(members) as LlmResponse
  }
  return {
    add: (response) => void responses.push(response),
    get isEmpty() {
      return responses.length === 0
    },
    get isOver() {
      return responses.some(({ finishReason, errorCode }) => finishReason !== undefined || errorCode !== undefined)
    },
    body() {
      const { usageMetadata, finishReason = 'STOP', modelVersion } = told()
      const parts = responses.flatMap(({ content }) => content?.parts ?? []).map(withoutOwnId)
      const candidates = [{ index: 0, finishReason, content: { role: 'model', parts } }]
      return JSON.parse(JSON.stringify({ candidates, usageMetadata, modelVersion })) as JsonObject
    },
    withParts(parts) {
      const { content: _, ...rest } = told()
      return { ...rest, ...(parts.length > 0 && { content: { role: 'model', parts: [...parts] } }), partial: false }
    },
  }
}

/** Ids that the framework makes are its own: it takes them out of what it sends. */
function withoutOwnId(part: Part): Part {
  const { functionCall } = part
  if (functionCall?.id?.startsWith('adk-') !== true) return part
  const { id: _, ...call } = functionCall
  return { ...part, functionCall: call }
}
