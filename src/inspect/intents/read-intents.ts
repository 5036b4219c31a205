import type { PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { readEach } from '../read-lines.ts'
import { inside, traceError } from '../trace-error.ts'

/** A request with the intent that somebody has given it. */
export interface LabelledIntent {
  readonly text: string
  /** `oos` where no intent fits. */
  readonly intent: string
}

/** The intent of requests that belong to none. */
export const outOfScope = 'oos'

/** Reads a file of `{text, intent}`. */
export function readIntents(
  file: string,
  { onInvalid }: { readonly onInvalid: (error: PrehendError) => void },
): Promise<readonly LabelledIntent[]> {
  return readEach(file, onInvalid, (record, place): LabelledIntent => {
    if (!isJsonObject(record)) throw traceError(place, 'is not an object', 'Every line holds one record')
    const { text, intent } = record
    if (typeof text !== 'string' || text === '') throw traceError(inside(place, 'text'), 'is no text', 'Give a string')
    if (typeof intent !== 'string' || intent === '')
      throw traceError(inside(place, 'intent'), 'is no text', `Give the name of an intent, or ${outOfScope}`)
    return { text, intent }
  })
}
