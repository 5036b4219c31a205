import type { WireExchange, InsertionPart, Item, OverlayPart } from '../../core/index.ts'
import type { Subject } from './steady-subjects.ts'
import type { ToldChange } from './told-change.ts'
import { situationNote } from './situation-note.ts'

interface Shown extends ToldChange {
  readonly subject: Subject
}

/** A note longer than this tells no values; then the client's change is left to stand where it is. */
const mostNoteChars = 600
const noteId = 'instructions-now'

/**
 * What is to be said of what the beginning says by now: nothing where that has been said, or can wait. Undefined where it is too much
 * for a note.
 */
export function dueNotes(
  received: WireExchange,
  overlay: readonly OverlayPart[],
  shown: readonly Shown[],
): readonly Item[] | undefined {
  const lines = [...new Set(shown.flatMap((change) => change.lines))]
  const told = lastNote(overlay)
  const text = lines.length > 0 ? noteOf(lines, shown) : told ? holdsAgain : ''
  if (text.length > mostNoteChars) return undefined
  if (text === (told?.item?.text ?? '')) return []
  return isUrgent(shown, told) || isDue(received, told) ? [note(text, overlay.length)] : []
}

/** Where a conversation works, and what it may count on, is said at once; how late it is, or how far a count has come, is not. */
function isUrgent(shown: readonly Shown[], told: InsertionPart | undefined): boolean {
  const said = told?.item?.text ?? ''
  return shown.some(({ kind, lines }) => {
    if (kind === 'clock' || (kind === 'count' && told !== undefined)) return false
    return lines.some((line) => !said.includes(line))
  })
}

function noteOf(lines: readonly string[], shown: readonly Shown[]): string {
  const what = [
    ...(shown.some(({ subject }) => subject.tool === undefined) ? ['instructions'] : []),
    ...(shown.some(({ subject }) => subject.tool !== undefined) ? ['tools'] : []),
  ]
  return `[The ${what.join(' and ')} at the beginning are shown as they were first sent. By now they say:\n${lines.join('\n')}]`
}

/** Replies after which an agent at work is told what its instructions say by now. */
const repliesBetween = 20

/**
 * Words between results and replies keep a model from its work: it is told when the user speaks, and else now and then.
 */
function isDue({ conversation: { messages, items } }: WireExchange, told: InsertionPart | undefined): boolean {
  const from = told
    ? messages.findLastIndex(({ id }) => told.after.includes(id))
    : messages.findIndex(({ role }) => role === 'assistant')
  const since = messages.slice(from + 1)
  const ids = new Set(since.flatMap(({ itemIds }) => itemIds))
  const hasSpoken = items.some(({ id, role, kind }) => role === 'user' && kind === 'text' && ids.has(id))
  return hasSpoken || since.filter(({ role }) => role === 'assistant').length >= repliesBetween
}

/** Said where something else was said before. */
const holdsAgain = '[The instructions at the beginning hold again as they stand there.]'

function lastNote(overlay: readonly OverlayPart[]): InsertionPart | undefined {
  const told = overlay.findLast((part) => part.kind === 'insertion' && part.item?.id.startsWith(noteId) === true)
  return told?.kind === 'insertion' ? told : undefined
}

function note(text: string, number: number): Item {
  return situationNote({ id: noteId, number, text, sourceId: 'instructions' })
}
