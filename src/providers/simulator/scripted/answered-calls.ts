import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { isJsonObject } from '../../../core/index.ts'
import { callIn, responseIn } from '../gemini/body.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'

/** What a client's tool has answered. */
export interface ScriptedResult {
  readonly text: string
  /** Whether the client, or the text itself, says that the call failed. */
  readonly failed: boolean
}

interface Answer extends ScriptedResult {
  readonly id: string
}

/** A call of the assistant, and what came back. */
export interface AnsweredCall {
  /** The texts in its arguments. */
  readonly asked: string
  /** Undefined where it is missing. */
  readonly result: ScriptedResult | undefined
}

/** The calls of every message of the assistant. */
export function answeredCalls(messages: readonly JsonObject[]): readonly (readonly AnsweredCall[])[] {
  const answers = messages.flatMap(answersIn)
  const byId = new Map(answers.flatMap((given) => (given.id === '' ? [] : [[given.id, given] as const])))
  // A dialect without ids answers calls in their order.
  let nth = 0
  return messages
    .filter(({ role }) => role === 'assistant')
    .map((message) =>
      callsIn(message).map((call): AnsweredCall => {
        const id = textOf(call['id']) ?? ''
        const next = answers[nth++]
        return { asked: textsIn(call).join('\n'), result: byId.get(id) ?? (id === '' ? next : undefined) }
      }),
    )
}

function callsIn({ tool_calls: calls, content }: JsonObject): readonly JsonObject[] {
  const blocks = objectsOf(content)
  return [
    ...objectsOf(calls),
    ...blocks.filter(({ type }) => type === 'tool_use'),
    ...blocks.map(callIn).filter((call) => call !== undefined),
  ]
}

function answersIn({ role, tool_call_id: id, content }: JsonObject): readonly Answer[] {
  if (role === 'tool') return [answer(id, content, false)]
  return objectsOf(content).flatMap((block) => {
    const response = responseIn(block)
    if (block['type'] === 'tool_result')
      return [answer(block['tool_use_id'], block['content'], block['is_error'] === true)]
    if (response === undefined) return []
    return [answer(response['id'], response['response'], objectOf(response['response'])['error'] !== undefined)]
  })
}

function answer(id: JsonValue | undefined, content: JsonValue | undefined, failed: boolean): Answer {
  const text = textsIn(content ?? null).join('\n')
  return { id: textOf(id) ?? '', text, failed: failed || saysFailure(text) }
}

const opening =
  /^\W*(?:error|failed|failure|file not found|tool_use_error|.{0,80}(?:no such file|must be (?:an )?absolute))/i
const exitCode = /\b(?:exit(?:ed)?(?: with)?(?: code)?|(?:failed|exited) with code):? [1-9]\d*\b|"success":\s*false/i

function saysFailure(text: string): boolean {
  return opening.test(text.slice(0, 200)) || exitCode.test(text.slice(0, 400)) || exitCode.test(text.slice(-200))
}

/** Every text in a value. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}
