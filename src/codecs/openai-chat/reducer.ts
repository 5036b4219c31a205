import { stringIn } from '../json-members.ts'
import type { JsonObject, JsonValue, ModelReply } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { Chain } from '../chain.ts'
import type { StreamState } from '../stream-reducer.ts'
import { optional } from '../optional.ts'
import { failureOf, parseData, truncated } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { Choices } from './choices.ts'
import { haveAllFinished, noChoices, withChoices } from './choices.ts'
import { wordsOf } from './fold-deltas.ts'
import { openaiUsage } from './usage.ts'

export interface OpenaiStreamState extends StreamState {
  readonly id?: string
  readonly model?: string
  /** What the first choice says. */
  readonly deltas: Chain<JsonObject> | undefined
  readonly finishReason?: string
  readonly choices: Choices
  readonly usage?: JsonValue
  readonly failure?: { readonly type: string; readonly message: string }
}

export const initialState: OpenaiStreamState = { ended: false, deltas: undefined, choices: noChoices }

/** Folds one chunk; of several choices the first is read. Data that is no JSON changes nothing. */
export function step(state: OpenaiStreamState, event: SseEvent): OpenaiStreamState {
  return folded(state, event, stepData)
}

/** Escapes may hide a name; text that a model writes has its quotes escaped. */
const reporting = /"(?:usage|error)"\s*:\s*(?!null|\s)|"finish_reason"\s*:\s*"|"index"\s*:\s*[1-9]|\[DONE\]|\\u/

export function skim(state: OpenaiStreamState, event: SseEvent): OpenaiStreamState {
  return event.comment === undefined && reporting.test(event.data) ? folded(state, event, withoutWords) : state
}

type Fold = (state: OpenaiStreamState, data: JsonObject) => OpenaiStreamState

function folded(state: OpenaiStreamState, event: SseEvent, fold: Fold): OpenaiStreamState {
  if (event.comment !== undefined) return state
  if (event.data.trim() === '[DONE]') return { ...state, ended: true }
  const data = parseData(event.data)
  return isJsonObject(data) ? fold(state, data) : state
}

export function stepData(state: OpenaiStreamState, data: JsonObject): OpenaiStreamState {
  const next = withoutWords(state, data)
  const { delta } = firstChoice(data)
  return isFailure(data) || !isJsonObject(delta) ? next : { ...next, deltas: { last: delta, before: state.deltas } }
}

function withoutWords(state: OpenaiStreamState, data: JsonObject): OpenaiStreamState {
  if (isFailure(data)) return { ...state, ended: true, failure: failureOf(data['error']) }
  return {
    ...state,
    ...optional('id', state.id ?? stringIn(data, 'id')),
    ...optional('model', state.model ?? stringIn(data, 'model')),
    ...optional('usage', isJsonObject(data['usage']) ? data['usage'] : state.usage),
    ...optional('finishReason', stringIn(firstChoice(data), 'finish_reason') ?? state.finishReason),
    choices: withChoices(state.choices, data),
  }
}

function isFailure({ error }: JsonObject): boolean {
  return error !== undefined && error !== null
}

export function replyOf(state: OpenaiStreamState): ModelReply {
  const failure = state.failure ?? (state.ended || haveAllFinished(state.choices) ? undefined : truncated)
  return {
    ...optional('id', state.id),
    ...optional('model', state.model),
    ...wordsOf(state.deltas),
    ...optional('stopReason', state.finishReason),
    ...optional('usage', openaiUsage(state.usage)),
    ...optional('failure', failure),
  }
}

export function firstChoice(data: JsonObject): JsonObject {
  const choices: readonly JsonValue[] = Array.isArray(data['choices']) ? data['choices'] : []
  const first = choices.find((choice) => isJsonObject(choice) && (choice['index'] ?? 0) === 0)
  return isJsonObject(first) ? first : {}
}
