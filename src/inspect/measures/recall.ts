import type { RenderedMessage } from '../render.ts'
import type { Retention } from '../retention.ts'
import type { Needle, Trace, TraceRequest } from '../trace.ts'
import type { EditText } from './edit-texts.ts'
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
}

export interface Recall {
  look(index: number, request: TraceRequest, sent: readonly RenderedMessage[]): void
  figures(): RecallFigures
}

/** By what is looked. */
export interface Recalled {
  readonly trace: Trace
  readonly uses: Uses
  readonly retention: Retention
  readonly own: OwnLines
}

interface Count {
  of: number
  kept: number
}

const none = (): Count => ({ of: 0, kept: 0 })

export function recall({ trace, uses, retention, own }: Recalled): Recall {
  const strings = none()
  const lines = none()
  const byAge = ageClasses.map(none)
  const whereShortened = none()
  const ownLines = none()
  const ownByAge = ageClasses.map(none)
  const edits = none()
  const note = (count: Count | undefined, isKept: boolean): void => {
    if (count === undefined) return
    count.of += 1
    if (isKept) count.kept += 1
  }
  return {
    look(index, request, sent) {
      for (const needle of trace.needles?.get(index) ?? []) {
        const hasLine = retention.hasLine(needle, sent)
        note(strings, retention.hasNeedle(needle, sent))
        note(lines, hasLine)
        note(byAge[ageClassOf(needle, request)], hasLine)
        if (isShortened(needle, request, sent)) note(whereShortened, hasLine)
      }
      for (const string of uses.ownStrings.get(index) ?? []) {
        const hasLine = own.has(string, sent)
        note(ownLines, hasLine)
        note(ownByAge[ageClassOf(string, request)], hasLine)
      }
      for (const edit of uses.edits.get(index) ?? []) note(edits, missingIn(edit, sent).length === 0)
    },
    figures: () => ({ strings, lines, byAge, whereShortened, ownLines, ownByAge, edits }),
  }
}

function ageClassOf({ sources }: Needle, { messages }: TraceRequest): number {
  const newest = messages.findLastIndex(({ id }) => sources.includes(id))
  const steps = 1 + messages.slice(newest + 1).filter(({ role }) => role === 'assistant').length
  return ageClasses.findIndex((most) => steps <= most)
}

function isShortened({ sources }: Needle, { messages }: TraceRequest, sent: readonly RenderedMessage[]): boolean {
  const newest = messages.findLast(({ id }) => sources.includes(id))
  const shown = sent.find(({ sourceId }) => sourceId === newest?.id)
  return (
    shown === undefined ||
    newest?.items.some((item, index) => (shown.parts[index]?.writtenOut ?? shown.parts[index]?.text) !== item.text) ===
      true
  )
}

/** The lines that an edit quotes and that no sent message shows. */
export function missingIn(edit: EditText, sent: readonly RenderedMessage[]): EditText {
  return edit.filter(({ text, sources }) => {
    const shows = (message: RenderedMessage): boolean => shownText(message).text.includes(text)
    // Where it stood it most likely still stands.
    return !sent.some((message) => sources.includes(message.sourceId) && shows(message)) && !sent.some(shows)
  })
}
