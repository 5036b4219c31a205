import type { JsonObject } from '../../core/index.ts'
import type { LlmResponse, Part } from './types.ts'

/** What a model says in one round: of a stream the parts that are whole. */
export class Round {
  readonly #responses: LlmResponse[] = []

  add(response: LlmResponse): void {
    this.#responses.push(response)
  }

  get isEmpty(): boolean {
    return this.#responses.length === 0
  }

  /** Whether the provider has said why it stopped, or what it used: nothing of weight comes after that. */
  get isOver(): boolean {
    return this.#responses.some(({ finishReason, errorCode }) => finishReason !== undefined || errorCode !== undefined)
  }

  /** As the provider's own reply. */
  get body(): JsonObject {
    const { usageMetadata, finishReason = 'STOP', modelVersion } = this.#last
    const parts = this.#responses.flatMap(({ content }) => content?.parts ?? []).map(withoutOwnId)
    const candidates = [{ index: 0, finishReason, content: { role: 'model', parts } }]
    return JSON.parse(JSON.stringify({ candidates, usageMetadata, modelVersion })) as JsonObject
  }

  /** One response in place of all, with these parts. */
  withParts(parts: readonly Part[]): LlmResponse {
    const { content: _, ...rest } = this.#last
    return { ...rest, ...(parts.length > 0 && { content: { role: 'model', parts: [...parts] } }), partial: false }
  }

  get #last(): LlmResponse {
    const told = this.#responses.map((response) => Object.entries(response).filter(([, value]) => value !== undefined))
    return Object.fromEntries(told.flat()) as LlmResponse
  }
}

/** Ids that the framework makes are its own: it takes them out of what it sends. */
function withoutOwnId(part: Part): Part {
  const { functionCall } = part
  if (functionCall?.id?.startsWith('adk-') !== true) return part
  const { id: _, ...call } = functionCall
  return { ...part, functionCall: call }
}
