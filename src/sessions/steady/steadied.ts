import type { WireExchange, Item, OverlayPart, SteadyPart, SteadyText } from '../../core/index.ts'
import type { Codec } from '../../codecs/index.ts'
import { dueNotes } from './now-note.ts'
import { clockedText, withValues } from './steady-text.ts'
import { counterpart, entryOf, subjectsOf } from './steady-subjects.ts'
import type { Subject } from './steady-subjects.ts'
import { toldChange } from './told-change.ts'
import type { ToldChange } from './told-change.ts'

/** A request whose beginning is that of the one before it. */
export interface Steadied {
  readonly received: WireExchange
  /** What its beginning says otherwise by now, to stand at its end; none where that has been said. */
  readonly notes: readonly Item[]
  /** It begins with other values and says nothing that the conversation has not: it is of another that is like it. */
  readonly isOther?: true
  /** What is to be remembered of it from now on; absent where that is what was remembered before. */
  readonly part?: SteadyPart
}

/** What a conversation has sent before, as far as it is known. */
export interface SentBefore {
  readonly overlay: readonly OverlayPart[]
  /** The last request, as it was sent. */
  readonly last?: WireExchange | undefined
  /** The same as it came. */
  readonly came?: WireExchange | undefined
}

/** What is to become of a request, before anything of it is written anew. */
export interface Steadying extends Omit<Steadied, 'received'> {
  /** What is shown as it was first sent, where it says something else now. */
  readonly kept: readonly Change[]
}

/**
 * A request of a conversation with its instructions and tools as they were first sent, where all that has changed in them is values: a
 * clock, an id, a count, a path, lines of a listing. The provider's cache begins with them. What they say now comes after everything else. Nothing is written
 * anew before it is known to be of this conversation: see `shownSteadily`.
 */
export function steadying(received: WireExchange, { overlay, last, came }: SentBefore): Steadying {
  const asItCame = { notes: [], kept: [] }
  const part = overlay.findLast((each) => each.kind === 'steady')
  if (!goesOn(received) || (!part && !last)) return asItCame
  const subjects = subjectsOf(received)
  const changes = changesOf(subjects, part?.texts ?? [], last ? subjectsOf(last) : [])
  if (changes.length === 0 && !part) return asItCame
  const shown = changes.filter(({ kind }) => kind !== 'words')
  const isLonger = came === undefined || messagesIn(received) > messagesIn(came)
  if (!isLonger && shown.some(({ kind }) => kind !== 'clock')) return { ...asItCame, isOther: true }
  const notes = dueNotes(received, overlay, shown)
  // What is too long for a note is no value.
  const kept = notes === undefined ? [] : shown
  const texts = remembered(subjects, part?.texts ?? [], { changes, kept: new Set(kept) })
  return { notes: notes ?? [], kept, ...(texts && { part: { kind: 'steady', texts } }) }
}

/** Written anew with what is kept; `last`, the last request as it was sent, begins alike. */
export function shownSteadily(
  codec: Codec,
  received: WireExchange,
  { kept, last }: Pick<Steadying, 'kept'> & Pick<SentBefore, 'last'>,
): WireExchange {
  if (kept.length === 0) return received
  const { wire, conversation } = received
  const texts = new Map(kept.map(({ subject, first }) => [subject.item.id, first]))
  const items = conversation.items.map((item) => {
    const text = texts.get(item.id)
    return text === undefined ? item : { ...item, text }
  })
  const body = codec.encode({ ...received, conversation: { ...conversation, items } }, {})
  return codec.decode({ path: wire.path, headers: wire.headers, body }, last ?? received)
}

function messagesIn({ conversation }: WireExchange): number {
  return conversation.messages.length
}

/** What is to be remembered of the first request of a conversation. */
export function steadyPart(received: WireExchange): SteadyPart | undefined {
  const texts = entriesOf(subjectsOf(received), () => undefined)
  return texts.some(({ values }) => values.length > 0) ? { kind: 'steady', texts } : undefined
}

/** Of every instruction, so that they are known by their places; of tools where there is something to remember. */
function entriesOf(
  subjects: readonly Subject[],
  known: (subject: Subject) => SteadyText | undefined,
): readonly SteadyText[] {
  return subjects.flatMap((subject) => {
    const entry = known(subject) ?? entryOf(subject, clockedText(subject.item))
    return subject.tool === undefined || entry.values.length > 0 || entry.text !== undefined ? [entry] : []
  })
}

/** A first request has a cache of its own to begin; what it says is as fresh as it can be. */
function goesOn({ wire, conversation }: WireExchange): boolean {
  return wire.continues !== undefined || conversation.messages.some(({ role }) => role === 'assistant')
}

export interface Change extends ToldChange {
  readonly subject: Subject
  /** As it was first sent. */
  readonly first: string
}

function changesOf(
  subjects: readonly Subject[],
  texts: readonly SteadyText[],
  last: readonly Subject[],
): readonly Change[] {
  const [known, sent] = [counterpart(subjects, texts), counterpart(subjects, last)]
  return subjects.flatMap((subject): readonly Change[] => {
    const first = firstOf(subject, known(subject), sent(subject)?.item)
    if (first === undefined || first === subject.item.text) return []
    return [{ subject, first, ...toldChange(subject, first) }]
  })
}

/** After a restart, without what was sent last, only clocks and ids are known to have been others. */
function firstOf({ item }: Subject, known: SteadyText | undefined, sent: Item | undefined): string | undefined {
  if (known?.text !== undefined || sent !== undefined) return known?.text ?? sent?.text
  const now = clockedText(item)
  return known?.form === now.form ? withValues(now, known.values) : undefined
}

interface Judged {
  readonly changes: readonly Change[]
  /** Those that are shown as they were. */
  readonly kept: ReadonlySet<Change>
}

/** Undefined where that is what was remembered before. A change of the client's own is what is kept from now on. */
function remembered(
  subjects: readonly Subject[],
  texts: readonly SteadyText[],
  { changes, kept }: Judged,
): readonly SteadyText[] | undefined {
  const known = counterpart(subjects, texts)
  const isNews = (change: Change): boolean =>
    kept.has(change) ? change.kind !== 'clock' && known(change.subject)?.text !== change.first : true
  const news = changes.filter(isNews)
  if (news.length === 0) return undefined
  const of = new Map(changes.map((change) => [change.subject, change]))
  return entriesOf(subjects, (subject) => {
    const change = of.get(subject)
    if (change === undefined) return known(subject)
    if (!kept.has(change)) return entryOf(subject, clockedText(subject.item), subject.item.text)
    const { form, values } = clockedText({ ...subject.item, text: change.first })
    return entryOf(subject, { form, values }, change.first)
  })
}
