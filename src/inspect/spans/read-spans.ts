import type { JsonObject, PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { readEach } from '../read-lines.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'

/** A part of a text of which somebody has said what it is: a name, an address, a number of a card. */
export interface MarkedSpan {
  readonly type: string
  /** As it stands in the text. */
  readonly value: string
}

export interface MarkedText {
  readonly id: string
  readonly text: string
  readonly spans: readonly MarkedSpan[]
}

/** Whether a record is a text with its marked spans. */
export function isMarked({ text, spans }: JsonObject): boolean {
  return typeof text === 'string' && Array.isArray(spans)
}

/** Reads a file of `{id, text, spans: [{type, value}]}`; places of spans are not read, since libraries count characters in different ways. */
export function readMarked(
  file: string,
  { onInvalid }: { readonly onInvalid: (error: PrehendError) => void },
): Promise<readonly MarkedText[]> {
  return readEach(file, onInvalid, (record, place): MarkedText => {
    if (!isJsonObject(record)) throw traceError(place, 'is not an object', 'Every line holds one record')
    const { id, text, spans } = record
    if (typeof text !== 'string') throw traceError(inside(place, 'text'), 'is no text', 'Give a string')
    if (!Array.isArray(spans))
      throw traceError(inside(place, 'spans'), 'is no list', 'Give the spans, or an empty list')
    const read = spans.map((span, at) => spanOf(span, text, inside(inside(place, 'spans'), at)))
    return { id: String(id ?? place.line), text, spans: read }
  })
}

function spanOf(span: unknown, text: string, place: TracePlace): MarkedSpan {
  if (!isJsonObject(span)) throw traceError(place, 'is not an object', 'Give {type, value}')
  const { type, value } = span
  if (typeof type !== 'string' || type === '') throw traceError(inside(place, 'type'), 'is no name', 'Say what it is')
  if (typeof value !== 'string' || value === '' || !text.includes(value))
    throw traceError(inside(place, 'value'), 'does not stand in the text', 'Give it as the text has it')
  return { type, value }
}
