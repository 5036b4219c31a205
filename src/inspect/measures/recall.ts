import type { RenderedMessage } from '../render.ts'
import type { RetentionReport } from '../retention.ts'
import type { Needle, Trace, TraceRequest } from '../trace.ts'
import type { EditText, QuotedText } from './edit-texts.ts'
import { shownText } from './said-text.ts'
import type { OwnLines } from './own-lines.ts'
import type { Uses } from './uses.ts'

/** Of so many, so many were still there. */
export interface Kept {
  readonly of: number
  readonly kept: number
}

/** Newest steps since the newest place of a string, the last of each class; what is older comes last. */
export const ageClasses = [3, 10, 20, 40, Number.POSITIVE_INFINITY] as const

/** What of all that the answers of a session used was still there when they did. */
export interface RecallFigures {
  /** Strings that only tool output had shown. */
  readonly strings: Kept
  /** Their whole lines. */
  readonly lines: Kept
  /** The lines, by `ageClasses`. */
  readonly byAge: readonly Kept[]
  /** The lines of those whose newest source was shown otherwise than recorded, or not at all. */
  readonly whereShortened: Kept
  /** Lines of strings that only the agent itself had written, in calls. */
  readonly ownLines: Kept
  readonly ownByAge: readonly Kept[]
  /** Edits of which every line that they quote stood there. */
  readonly edits: Kept
  /** The same, of lines alone that one place of the history had held, without new files. */
  readonly editsOfOnePlace: Kept
  /** The same of files that a here-document writes and that the history had not named. */
  readonly newFiles: Kept
  /** Edits whose whole old text stood there in one piece, of those where the history had held it so. */
  readonly editsInOnePiece: Kept
  /** Strings that only text of the assistant had held. */
  readonly saidStrings: Kept
  /** By `compactionClasses`. */
  readonly byCompactions: readonly CompactedRecall[]
}

/** Briefs that have stood for the newest place of what is used; the last class takes all that are more. */
export const compactionClasses = ['0', '1', '2', '3', '4+'] as const

export interface CompactedRecall {
  readonly lines: Kept
  readonly ownLines: Kept
  /** Without new files. */
  readonly edits: Kept
}

export interface Recall {
  look(index: number, request: TraceRequest, sent: readonly RenderedMessage[]): void
  figures(): RecallFigures
}

/** By what is looked. */
export interface Recalled {
  readonly trace: Trace
  readonly uses: Uses
  readonly retention: RetentionReport
  readonly own: OwnLines
  /** Briefs that have stood for a message; none by default. */
  goneThrough?(messageId: string): number
}

interface Count {
  of: number
  kept: number
}

const none = (): Count => ({ of: 0, kept: 0 })

export function recall({ trace, uses, retention, own, goneThrough = () => 0 }: Recalled): Recall {
  const counts = emptyCounts()
  const compactedOf = (used: readonly QuotedText[], request: TraceRequest) => {
    const through = used.map((one) => goneThrough(newestSource(one, request)?.id ?? ''))
    return counts.byCompactions[Math.min(compactionClasses.length - 1, Math.max(0, ...through))]
  }
  const noteEdit = (edit: EditText, request: TraceRequest, sent: readonly RenderedMessage[]): void => {
    const missing = missingIn(edit.lines, sent)
    note(counts.edits, missing.length === 0)
    if (!edit.isNewFile) note(compactedOf(edit.lines, request)?.edits, missing.length === 0)
    if (edit.lines.some(({ isOfOnePlace }) => isOfOnePlace))
      note(edit.isNewFile ? counts.newFiles : counts.editsOfOnePlace, !missing.some(({ isOfOnePlace }) => isOfOnePlace))
    if (edit.pieces.length > 0) note(counts.editsInOnePiece, missingIn(edit.pieces, sent).length === 0)
  }
  return {
    look(index, request, sent) {
      for (const needle of trace.needles?.get(index) ?? []) {
        const hasLine = retention.hasLine(needle, sent)
        note(counts.strings, retention.hasNeedle(needle, sent))
        note(counts.lines, hasLine)
        note(counts.byAge[ageClassOf(needle, request)], hasLine)
        note(compactedOf([needle], request)?.lines, hasLine)
        if (isShortened(needle, request, sent)) note(counts.whereShortened, hasLine)
      }
      for (const string of uses.ownStrings.get(index) ?? []) {
        const hasLine = own.has(string, sent)
        note(counts.ownLines, hasLine)
        note(counts.ownByAge[ageClassOf(string, request)], hasLine)
        note(compactedOf([string], request)?.ownLines, hasLine)
      }
      for (const string of uses.saidStrings.get(index) ?? [])
        note(counts.saidStrings, missingIn([string], sent).length === 0)
      for (const edit of uses.edits.get(index) ?? []) noteEdit(edit, request, sent)
    },
    figures: () => counts,
  }
}

function emptyCounts() {
  return {
    strings: none(),
    lines: none(),
    byAge: ageClasses.map(none),
    whereShortened: none(),
    ownLines: none(),
    ownByAge: ageClasses.map(none),
    edits: none(),
    editsOfOnePlace: none(),
    newFiles: none(),
    editsInOnePiece: none(),
    saidStrings: none(),
    byCompactions: compactionClasses.map(() => ({ lines: none(), ownLines: none(), edits: none() })),
  }
}

function note(count: Count | undefined, isKept: boolean): void {
  if (count === undefined) return
  count.of += 1
  if (isKept) count.kept += 1
}

function newestSource({ sources }: QuotedText, { messages }: TraceRequest) {
  return messages.findLast(({ id }) => sources.includes(id))
}

function ageClassOf({ sources }: Needle, { messages }: TraceRequest): number {
  const newest = messages.findLastIndex(({ id }) => sources.includes(id))
  const steps = 1 + messages.slice(newest + 1).filter(({ role }) => role === 'assistant').length
  return ageClasses.findIndex((most) => steps <= most)
}

function isShortened(needle: Needle, request: TraceRequest, sent: readonly RenderedMessage[]): boolean {
  const newest = newestSource(needle, request)
  const shown = sent.find(({ sourceId }) => sourceId === newest?.id)
  return (
    shown === undefined ||
    newest?.items.some((item, index) => (shown.parts[index]?.writtenOut ?? shown.parts[index]?.text) !== item.text) ===
      true
  )
}

/** The texts that no sent message shows, each as a whole. */
export function missingIn<Text extends QuotedText>(
  texts: readonly Text[],
  sent: readonly RenderedMessage[],
): readonly Text[] {
  return texts.filter(({ text, sources }) => {
    const shows = (message: RenderedMessage): boolean => shownText(message).text.includes(text)
    // Where it stood it most likely still stands.
    return !sent.some((message) => sources.includes(message.sourceId) && shows(message)) && !sent.some(shows)
  })
}
