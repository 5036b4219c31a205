import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { NumberMap } from '../number-map.ts'
import { valueAt, withValue } from '../number-map.ts'

/** The choices that a stream has told of. */
export interface Choices {
  /** Whether each has finished. */
  readonly known: NumberMap<boolean>
  readonly begun: number
  readonly finished: number
}

export const noChoices: Choices = { known: new Map(), begun: 0, finished: 0 }

export function withChoices(choices: Choices, data: JsonObject): Choices {
  const told: readonly JsonValue[] = Array.isArray(data['choices']) ? data['choices'] : []
  return told.reduce(withChoice, choices)
}

/** Some servers never send `[DONE]`. */
export function haveAllFinished({ begun, finished }: Choices): boolean {
  return begun > 0 && begun === finished
}

function withChoice(choices: Choices, choice: JsonValue): Choices {
  if (!isJsonObject(choice)) return choices
  const { index = 0, finish_reason: reason } = choice
  if (typeof index !== 'number') return choices
  const before = valueAt(choices.known, index)
  const hasFinished = before === true || (typeof reason === 'string' && reason !== '')
  if (before === hasFinished) return choices
  return {
    known: withValue(choices.known, index, hasFinished),
    begun: choices.begun + (before === undefined ? 1 : 0),
    finished: choices.finished + (hasFinished ? 1 : 0),
  }
}
