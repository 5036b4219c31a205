import type { Edit } from './splice.ts'
import { splice } from './splice.ts'
import type { SseEvent } from './sse.ts'

/** Where a JSON text (a reply, or an event's data) has arguments of a call of the client's tools, or a piece of them. */
export interface CallPlace {
  /** Which call it is; the pieces of one call come in order. */
  readonly call: string
  readonly start: number
  readonly end: number
  /** The arguments as the model wrote them. */
  readonly text: string
  /** Free-form tools have arguments that are not JSON. */
  readonly form: 'json' | 'plain'
  /** Whether they stand there as a JSON string. */
  readonly isQuoted: boolean
}

/** Where a dialect has the arguments of calls. Pure and never throws. */
export interface CallText {
  /** The pieces of arguments in an event, in order; most events have none. */
  inEvent(event: SseEvent): readonly CallPlace[]
  /** The call that an event begins and that is not the client's to run. */
  foreignCall(event: SseEvent): string | undefined
  /** Whether calls that were begun get no more pieces after this event. */
  endsCalls(event: SseEvent): boolean
  /** An event that adds text to the call which has a piece in `like`. */
  addition(place: CallPlace, text: string, like: SseEvent): SseEvent
  inReply(body: string): readonly CallPlace[]
}

/** The JSON text with other arguments in its places. */
export function withCallTexts(json: string, places: readonly CallPlace[], texts: readonly string[]): string {
  const edits = places.flatMap(({ start, end, text, isQuoted }, index): Edit[] => {
    const changed = texts[index] ?? text
    return changed === text ? [] : [{ start, end, text: isQuoted ? JSON.stringify(changed) : changed }]
  })
  return edits.length === 0 ? json : splice(json, edits)
}
