import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import type { TracePlace } from '../trace-error.ts'
import type { Form, Found } from './form.ts'

interface PerValue extends Omit<Form, 'recognise' | 'read' | 'isWhole'> {
  recognise(value: JsonObject): boolean
  read(value: JsonObject, place: TracePlace): readonly Found[]
}

/** A form in which every object stands for itself. */
export function perValue({ recognise, read, ...form }: PerValue): Form {
  return {
    ...form,
    recognise: (value) => isJsonObject(value) && recognise(value),
    read: (values) => values.flatMap(({ value, place }) => (isJsonObject(value) ? read(value, place) : [])),
  }
}
