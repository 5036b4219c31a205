import type { JsonObject } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { parseData } from './reply-body.ts'
import type { SseEvent } from './sse.ts'

/** What an event of one type changes in what is known of a reply. */
export type EventFold<State> = (state: State, data: JsonObject, event: SseEvent) => State
export type EventFolds<State> = Readonly<Record<string, EventFold<State>>>

/** What is particular to a dialect whose events name their type. */
export interface TypedEvents<State> {
  readonly all: EventFolds<State>
  /** Those of them that tell what was used, and how the stream ended. */
  readonly reports: EventFolds<State>
  /** What an event must hold to be one of these. */
  readonly reporting: RegExp
  /** The type of an event; its member `type` by default. */
  typeOf?(data: JsonObject): unknown
}

export interface FoldedEvents<State> {
  /** Events of unknown type, comments and data that is no JSON change nothing. */
  step(state: State, event: SseEvent): State
  skim(state: State, event: SseEvent): State
  /** An event whose data was parsed already. */
  stepData(state: State, data: JsonObject, event: SseEvent): State
}

/** Folds events by their types. */
export function foldedEvents<State>({ all, reports, reporting, typeOf }: TypedEvents<State>): FoldedEvents<State> {
  const handled = (by: EventFolds<State>, state: State, { data, event }: Told): State => {
    const type = typeOf ? typeOf(data) : data['type']
    const fold = typeof type === 'string' && Object.hasOwn(by, type) ? by[type] : undefined
    return fold === undefined ? state : fold(state, data, event)
  }
  const folded = (by: EventFolds<State>, state: State, event: SseEvent): State => {
    if (event.comment !== undefined) return state
    const data = parseData(event.data)
    return isJsonObject(data) ? handled(by, state, { data, event }) : state
  }
  return {
    step: (state, event) => folded(all, state, event),
    skim: (state, event) => (reporting.test(event.data) ? folded(reports, state, event) : state),
    stepData: (state, data, event) => handled(all, state, { data, event }),
  }
}

interface Told {
  readonly data: JsonObject
  readonly event: SseEvent
}
