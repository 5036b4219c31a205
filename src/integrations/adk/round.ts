import type { JsonObject } from '../../core/index.ts'
import type { LlmResponse, Part } from './types.ts'

/** What a model says in one round: of a stream the parts that are whole. */
export interface Round {
  add(response: LlmResponse): void
  /** Whether nothing whole has come. */
  isEmpty(): boolean
  /** Whether the provider has said why it stopped: nothing of weight comes after that. */
  isOver(): boolean
  /** As the provider's own reply. */
  body(): JsonObject
  /** The same responses, with the parts that the agent sees of this round and those before. */
  answered(parts: readonly Part[], isAgents: (name: string) => boolean): readonly LlmResponse[]
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
    isEmpty: () => responses.length === 0,
    isOver: () =>
      responses.some(({ finishReason, errorCode }) => finishReason !== undefined || errorCode !== undefined),
    body() {
      const { usageMetadata, finishReason = 'STOP', modelVersion } = told()
      const parts = responses.flatMap(({ content }) => content?.parts ?? []).map(withoutOwnId)
      const candidates = [{ index: 0, finishReason, content: { role: 'model', parts } }]
      return JSON.parse(JSON.stringify({ candidates, usageMetadata, modelVersion })) as JsonObject
    },
    answered(parts, isAgents) {
      const [only] = responses
      if (only !== undefined && responses.length === 1) return [withParts(only, parts)]
      const said = responses.flatMap(({ content }) => content?.parts ?? [])
      return callsIn(said) === callsIn(parts) ? inPlace(responses, parts) : spread(responses, parts, isAgents)
    },
  }
}

/** Which calls stand where among parts. */
function callsIn(parts: readonly Part[]): string {
  return JSON.stringify(parts.map(({ functionCall }) => functionCall?.name ?? ''))
}

/** A response with these parts for its own; itself where they are. */
function withParts(response: LlmResponse, parts: readonly Part[]): LlmResponse {
  const own = response.content?.parts ?? []
  if (JSON.stringify(own.map(withoutOwnId)) === JSON.stringify(parts)) return response
  const { content, ...rest } = response
  return { ...rest, ...(parts.length > 0 && { content: { ...content, role: 'model', parts: [...parts] } }) }
}

/** Nothing was hidden: each has as many parts as it had. */
function inPlace(responses: readonly LlmResponse[], parts: readonly Part[]): readonly LlmResponse[] {
  let at = 0
  return responses.map((response) => {
    const from = at
    at += response.content?.parts?.length ?? 0
    return withParts(response, parts.slice(from, at))
  })
}

/** What was said in all rounds, then the agent's calls as they came: the framework runs those of one response together. */
function spread(
  responses: readonly LlmResponse[],
  parts: readonly Part[],
  isAgents: (name: string) => boolean,
): readonly LlmResponse[] {
  const words = parts.filter(({ functionCall }) => functionCall === undefined)
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined)
  const said: LlmResponse = { content: { role: 'model', parts: words }, partial: false }
  let at = 0
  const others = responses.flatMap((response) => {
    const from = at
    const own = response.content?.parts
    if (own === undefined) return [response]
    at += own.filter(({ functionCall }) => functionCall !== undefined && isAgents(functionCall.name ?? '')).length
    return at > from ? [withParts(response, calls.slice(from, at))] : []
  })
  return [...(words.length > 0 ? [said] : []), ...others]
}

/** Ids that the framework makes are its own: it takes them out of what it sends. */
function withoutOwnId(part: Part): Part {
  const { functionCall } = part
  if (functionCall?.id?.startsWith('adk-') !== true) return part
  const { id: _, ...call } = functionCall
  return { ...part, functionCall: call }
}
