import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { contentParts } from '../openai/message.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { anthropicMark, markOf, openaiMark, unmarked } from './cache-marks.ts'

/** What a provider behind the router gets of a chat. */
const passedOn = new Set(
  (
    'frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages model parallel_tool_calls ' +
    'presence_penalty prompt_cache_key prompt_cache_options response_format seed stop stream temperature tool_choice ' +
    'tools top_logprobs top_p user verbosity'
  ).split(' '),
)

export interface ProviderForm {
  /** Whether it takes an effort to reason with, and no temperature. */
  readonly reasons: boolean
  /** Whether it shows what it thinks, and is shown it again. */
  readonly thinks: boolean
  /** Of the marks for its cache, which it is told. */
  readonly marks: 'openai' | 'anthropic' | 'last' | 'none'
}

/** A chat in the words that all providers share, without what is the router's own. */
export function providerForm(body: JsonObject, { reasons, thinks, marks }: ProviderForm): JsonObject {
  const { messages, reasoning, reasoning_effort: effort } = body
  const same = Object.fromEntries(Object.entries(body).filter(([name]) => passedOn.has(name)))
  const { max_tokens: most, max_completion_tokens: limit = most, temperature, ...rest } = same
  const asked = objectOf(reasoning)['effort'] ?? effort
  const isThought = thinks && asksForReasoning(body)
  return {
    ...rest,
    ...(limit !== undefined && { max_completion_tokens: limit }),
    ...(!reasons && temperature !== undefined && { temperature }),
    ...(reasons && asked !== undefined && { reasoning_effort: asked }),
    ...(isThought && { thinking: { type: 'enabled' } }),
    ...(messages !== undefined && {
      messages: Array.isArray(messages) ? messagesOf(messages, marks, thinks) : messages,
    }),
  }
}

export function asksForReasoning({ reasoning, reasoning_effort: other }: JsonObject): boolean {
  const { enabled, effort = other, max_tokens: budget } = objectOf(reasoning)
  return enabled === true || budget != null || (effort != null && effort !== 'none')
}

function messagesOf(messages: JsonValue, marks: ProviderForm['marks'], thinks: boolean): readonly JsonObject[] {
  const all = objectsOf(messages)
  const places = all.flatMap((message, index) =>
    contentParts(message).flatMap((part, place) => (markOf(part) ? [`${index} ${place}`] : [])),
  )
  const kept = new Set(marks === 'none' ? [] : marks === 'last' ? places.slice(-1) : places)
  return all.map(({ reasoning_details: details, reasoning, ...message }, index) => {
    const thought = thinks ? (textOf(reasoning) ?? thoughtIn(objectsOf(details))) : undefined
    const { content } = message
    const parts = contentParts(message).map((part, place) =>
      kept.has(`${index} ${place}`)
        ? { ...unmarked(part), ...(marks === 'anthropic' ? anthropicMark(part) : openaiMark) }
        : unmarked(part),
    )
    return {
      ...message,
      ...(Array.isArray(content) && { content: parts }),
      ...(thought !== undefined && { reasoning_content: thought }),
    }
  })
}

function thoughtIn(details: readonly JsonObject[]): string | undefined {
  const texts = details.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return texts.length === 0 ? undefined : texts.join('')
}
