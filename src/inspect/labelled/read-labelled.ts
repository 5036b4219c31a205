import type { JsonObject, PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { readEach } from '../read-lines.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import type { LabelledFile } from './join-labelled.ts'
import type { RecordShape } from './raw-records.ts'
import { recordShapes } from './record-shapes.ts'

export interface LabelledReading {
  /** Told of a line that cannot be read, which is then passed over. */
  readonly onInvalid: (error: PrehendError) => void
}

/** Reads a JSONL file of labelled data: every line a record of the same shape, told by its members. */
export async function readLabelled(file: string, { onInvalid }: LabelledReading): Promise<LabelledFile> {
  let shape: RecordShape | undefined
  const read = await readEach(file, onInvalid, (value, place) => {
    const record = recordOf(value, place)
    const found = shapeOf(record, place, shape)
    const one = found.read({ record, place })
    shape ??= found
    return one
  })
  return {
    name: file,
    shape: shape?.name ?? 'nothing',
    conversations: read.flatMap((one) => (one.kind === 'conversation' ? [one.conversation] : [])),
    documents: read.flatMap((one) => (one.kind === 'document' ? [one.document] : [])),
    questions: read.flatMap((one) => (one.kind === 'questions' ? one.questions : [])),
  }
}

function recordOf(value: unknown, place: TracePlace): JsonObject {
  if (isJsonObject(value)) return value
  throw traceError(place, 'is not an object', 'Every line holds one record')
}

function shapeOf(record: JsonObject, place: TracePlace, before: RecordShape | undefined): RecordShape {
  const found = recordShapes.find((shape) => shape.is(record))
  if (found === undefined) {
    const known = recordShapes.map(({ name, members }) => `${name} ${members}`).join('; ')
    throw traceError(place, 'has no known shape', `Give sessions {id, messages}, or one of: ${known}`)
  }
  if (before === undefined || before === found) return found
  throw traceError(place, `is one of ${found.name}, and the lines before are ${before.name}`, 'Give each its own file')
}
