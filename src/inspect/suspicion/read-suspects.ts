import type { PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { readEach } from '../read-lines.ts'
import { inside, traceError } from '../trace-error.ts'

/** A text of which somebody has said whether it holds orders. */
export interface SuspectText {
  readonly id: string
  readonly text: string
  /** Where it is from, or what kind of text it is. */
  readonly source: string
  readonly isAttack: boolean
}

/** Reads a file of `{id, text, label: 0 or 1, source? or task?}`. */
export function readSuspects(
  file: string,
  { onInvalid }: { readonly onInvalid: (error: PrehendError) => void },
): Promise<readonly SuspectText[]> {
  return readEach(file, onInvalid, (record, place): SuspectText => {
    if (!isJsonObject(record)) throw traceError(place, 'is not an object', 'Every line holds one record')
    const { id, text, label, source, task } = record
    if (typeof text !== 'string') throw traceError(inside(place, 'text'), 'is no text', 'Give a string')
    if (label !== 0 && label !== 1)
      throw traceError(inside(place, 'label'), 'is neither 0 nor 1', 'Give 1 where the text holds orders, else 0')
    const from = [source, task].find((one) => typeof one === 'string' && one !== '')
    return { id: String(id ?? place.line), text, source: String(from ?? 'texts'), isAttack: label === 1 }
  })
}
