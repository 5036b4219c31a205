import type { Item, PrehendError } from '../../core/index.ts'
import { isJsonObject, isPrehendError } from '../../core/index.ts'
import { compile } from '../../sessions/index.ts'
import { readEach } from '../read-lines.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import { listField, recordEntry, textEntry, textField } from './record-fields.ts'

/** A request with its context in sections, and what a good pack of it says. */
export interface LabelledTask {
  readonly id: string
  readonly items: readonly Item[]
  readonly request: string
  /** Strings that must stand in the pack; at least one. */
  readonly answers: readonly string[]
}

/** Reads tasks whose answers are known: `{id, request, items, answers}`, the items as `compile` takes them. */
export function readTasks(
  file: string,
  { onInvalid }: { readonly onInvalid: (error: PrehendError) => void },
): Promise<readonly LabelledTask[]> {
  return readEach(file, onInvalid, taskOf)
}

const anyWindow = 1_000_000

function taskOf(value: unknown, place: TracePlace): LabelledTask {
  if (!isJsonObject(value)) throw traceError(place, 'is not an object', 'Every line holds one task')
  const placed = { record: value, place }
  const answers = listField(placed, 'answers', textEntry).filter((answer) => answer !== '')
  if (answers.length === 0) throw traceError(inside(place, 'answers'), 'is empty', 'Give what a good pack says')
  const items = listField(placed, 'items', (item, at) => recordEntry(item, at).record as unknown as Item)
  const task = { id: textField(placed, 'id'), items, request: textField(placed, 'request'), answers }
  checkItems(task, place)
  return task
}

/** Whoever compiles them says best what is wrong with items. */
function checkItems({ items, request }: LabelledTask, place: TracePlace): void {
  try {
    compile({ items, budget: { windowTokens: anyWindow }, frame: { request } })
  } catch (error) {
    if (!isPrehendError(error)) throw error
    throw traceError(place, error.message.replace(/\.$/, ''), 'Give items as a compile takes them')
  }
}
