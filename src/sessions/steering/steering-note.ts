import type { InsertionPart, Item, OverlayPart, SessionRecord } from '../../core/index.ts'
import { situationNote } from '../steady/situation-note.ts'

const noteId = 'steering-note'

/** Said after a note that was removed: what a model has read stays in its cached prefix. */
const withdrawn = '[The note of the operator above is withdrawn. It no longer applies.]'

/**
 * The steering note that a request has to add: nothing where its conversation already says it. A note is appended behind all that was
 * said, so the cached prefix stays as it is; from then on it keeps its place. `placed` is what of the overlay the request holds.
 */
export function dueSteeringNote(record: SessionRecord | undefined, placed: readonly OverlayPart[]): readonly Item[] {
  const said = placed.findLast(isNote)?.item?.text
  const note = record?.note
  const text = note === undefined ? (said === undefined ? undefined : withdrawn) : noteText(note)
  return text === undefined || text === said ? [] : [noteItem(text, placed.filter(isNote).length)]
}

function isNote(part: OverlayPart): part is InsertionPart {
  return part.kind === 'insertion' && part.item?.id.startsWith(noteId) === true
}

function noteText(note: string): string {
  return `[A note of the operator for the rest of this task:\n${note}]`
}

function noteItem(text: string, number: number): Item {
  return situationNote({ id: noteId, number, text, sourceId: 'steering' })
}
