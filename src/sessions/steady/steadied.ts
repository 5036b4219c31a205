import { isInstruction } from '../../core/index.ts'
import type { Exchange, InsertionPart, Item, OverlayPart, SteadyPart, SteadyText } from '../../core/index.ts'
import type { Codec } from '../../codecs/index.ts'
import { openingItems } from '../opening-items.ts'
import { changedLines, clockedText, withValues } from './steady-text.ts'

/** A request whose beginning is that of the one before it. */
export interface Steadied {
  readonly received: Exchange
  /** What its instructions say otherwise by now, to stand at its end; none where that has been said. */
  readonly notes: readonly Item[]
}

/**
 * A request of a conversation with its instructions as they were first sent, where a clock or an id in them is all that has
 * changed: the provider's cache begins with them. What they say now comes after everything else.
 */
export function steadied(codec: Codec, received: Exchange, overlay: readonly OverlayPart[]): Steadied {
  const asItCame = { received, notes: [] }
  const part = overlay.findLast((each) => each.kind === 'steady')
  if (!part || !goesOn(received)) return asItCame
  const changes = changesOf(instructionsOf(received), part.texts)
  const lines = [...new Set(changes.flatMap((change) => change.lines))]
  const told = lastNote(overlay)
  const text = lines.length > 0 ? noteOf(lines) : told ? holdsAgain : ''
  if (text.length > mostNoteChars) return asItCame
  const isNew = text !== (told?.item?.text ?? '')
  const notes = isNew && isDue(received, told) ? [note(text, overlay.length)] : []
  return changes.length === 0 ? { received, notes } : { received: rewritten(codec, received, changes), notes }
}

/** What is to be remembered of the first request of a conversation. */
export function steadyPart(received: Exchange): SteadyPart | undefined {
  const texts = instructionsOf(received).flatMap((item): readonly SteadyText[] => {
    const clocked = clockedText(item)
    return clocked ? [{ form: clocked.form, values: clocked.values }] : []
  })
  return texts.length === 0 ? undefined : { kind: 'steady', texts }
}

/** A note longer than this is no clock's; then the client's change is left to stand where it is. */
const mostNoteChars = 600
const noteId = 'instructions-now'

/** A first request has a cache of its own to begin; what it says is as fresh as it can be. */
function goesOn({ wire, conversation }: Exchange): boolean {
  return wire.continues !== undefined || conversation.messages.some(({ role }) => role === 'assistant')
}

/** Those that a conversation begins with, as far as they may be written otherwise. */
function instructionsOf({ conversation: { items } }: Exchange): readonly Item[] {
  return openingItems(items).filter(
    ({ role, kind, frozen }) => isInstruction(role) && kind !== 'opaque' && frozen !== true,
  )
}

interface Change {
  readonly id: string
  readonly first: string
  /** As they are now. */
  readonly lines: readonly string[]
}

function changesOf(instructions: readonly Item[], texts: readonly SteadyText[]): readonly Change[] {
  const left = [...texts]
  return instructions.flatMap((item): readonly Change[] => {
    const now = clockedText(item)
    const at = left.findIndex(({ form }) => form === now?.form)
    const [known] = at < 0 ? [] : left.splice(at, 1)
    if (!now || !known) return []
    const first = withValues(now, known.values)
    return first === item.text ? [] : [{ id: item.id, first, lines: changedLines(now, known.values) }]
  })
}

function rewritten(codec: Codec, received: Exchange, changes: readonly Change[]): Exchange {
  const { wire, conversation } = received
  const texts = new Map(changes.map(({ id, first }) => [id, first]))
  const items = conversation.items.map((item) => {
    const text = texts.get(item.id)
    return text === undefined ? item : { ...item, text }
  })
  const body = codec.encode({ ...received, conversation: { ...conversation, items } }, {})
  return codec.decode({ path: wire.path, headers: wire.headers, body }, received)
}

function noteOf(lines: readonly string[]): string {
  return `[The instructions at the beginning are shown as they were first sent. By now they say:\n${lines.join('\n')}]`
}

/** Replies after which an agent at work is told what its instructions say by now. */
const repliesBetween = 20

/**
 * Words between results and replies keep a model from its work: it is told when the user speaks, and else now and then.
 */
function isDue({ conversation: { messages, items } }: Exchange, told: InsertionPart | undefined): boolean {
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
  return {
    id: `${noteId}-${number}`,
    section: 'situation',
    kind: 'text',
    role: 'user',
    authority: 'system',
    text,
    pin: true,
    provenance: { sourceId: 'instructions' },
  }
}
