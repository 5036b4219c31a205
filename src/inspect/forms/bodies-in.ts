import { invalidInput, isPrehendError } from '../../core/index.ts'
import type { Dialect, JsonObject, PrehendError } from '../../core/index.ts'
import type { Located } from './form.ts'
import { formsReader, requestEnds } from './read-forms.ts'
import type { ReadFound } from './read-forms.ts'
import { valuesIn } from './read-values.ts'
import { bodyBefore, wireMessages } from './wire-messages.ts'

export interface RecordedBody {
  readonly body: JsonObject
  readonly dialect: Dialect
  /** The name of the form of file that it stood in. */
  readonly form: string
  /** From 1, and of how many. */
  readonly number: number
  readonly of: number
}

/** Whether a value is a file of recorded traffic rather than one request body. */
export function isRecording(value: unknown): boolean {
  const { add, end } = formsReader(() => undefined)
  const located: Located = { value, place: { file: '', line: 1, field: '' } }
  const [first] = [...add(located), ...end()]
  return first !== undefined && first.form.isBody !== true
}

/** One of the request bodies in a text of recorded traffic, by its number from 1; the last where none is asked for. */
export function bodyIn(name: string, text: string, asked?: number): RecordedBody {
  const invalid: PrehendError[] = []
  const onInvalid = (error: PrehendError): void => void invalid.push(error)
  const forms = formsReader(onInvalid)
  const read = valuesIn(name, text, onInvalid).flatMap((located) => forms.add(located))
  const bodies = [...read, ...forms.end()].flatMap(bodiesOf)
  const number = asked ?? bodies.length
  const chosen = bodies[number - 1]
  if (chosen !== undefined) return { ...chosen(), number, of: bodies.length }
  const [first] = invalid
  if (bodies.length === 0 && isPrehendError(first)) throw first
  if (bodies.length === 0) throw invalidInput(name, 'holds no request', 'Give a request body or recorded traffic')
  throw invalidInput(name, `has ${bodies.length} requests, and no number ${number}`, 'They are counted from 1')
}

type Opened = () => Pick<RecordedBody, 'body' | 'dialect' | 'form'>

/** Bodies are made when they are asked for: those of a long session hold each other. */
function bodiesOf({ form: { name: form }, found }: ReadFound): readonly Opened[] {
  const wire = wireMessages(found.body, found.dialect)
  const { dialect } = wire
  if (found.kind === 'request') return [() => ({ body: found.body, dialect, form })]
  return requestEnds(found).map((end) => () => {
    const at = wire.messages[end]?.at ?? 0
    return { body: bodyBefore(found.body, wire, at), dialect, form }
  })
}
