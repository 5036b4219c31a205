import { rewriteReply } from '../../codecs/index.ts'
import type { Codec, TextKind, TextPlace } from '../../codecs/index.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { withinDeadline } from '../within-deadline.ts'
import { inForm } from './argument-text.ts'
import type { ArgumentsForm } from './argument-text.ts'
import { markerReader } from './marker-reader.ts'
import type { Behind, MarkerLine, MarkerReader, MarkerReaderState, MarkerStep } from './marker-reader.ts'
import { mentionsMarker } from './mentions-marker.ts'
import { markerResolver } from './resolve-marker.ts'
import type { ResolveMarker } from './resolve-marker.ts'

/**
 * Keeps our markers out of what a client runs: in the arguments of its calls, each marker that a model has copied is
 * written out as the lines that it stands for. What cannot be resolved stays as it is: `MarkerGuard` keeps such calls back.
 */
export interface MarkerWriter {
  /** Anew for every reply. */
  open(): OpenMarkerWriter
  /** Markers written out so far. */
  written(): number
}

/** Arguments may come in pieces; what may yet become a marker is held back. */
export interface OpenMarkerWriter {
  piece(of: ArgumentsText, text: string): string | Promise<string>
  end(of: ArgumentsText): string | Promise<string>
  /** Whether a whole reply may have a marker in it. */
  concerns(body: string): boolean
}

export type ArgumentsText = Pick<TextPlace, 'key' | 'form'>

export interface MarkerWriterOptions {
  readonly resolve: ResolveMarker
  /** Told of every marker. */
  readonly count: (result: 'written' | 'left') => void
}

export function markerWriter({ resolve, count }: MarkerWriterOptions): MarkerWriter {
  const lines = lineWriter(resolve, count)
  return {
    open: () => {
      const texts = new Map<string, OpenText>()
      return {
        piece: ({ key, form }, text) => {
          const open = texts.get(key) ?? opened(form)
          texts.set(key, open)
          return said(open, lines, {
            step: open.reader.step(open.state, text),
            next: (state) => open.reader.step(state, ''),
          })
        },
        end: ({ key }) => {
          const open = texts.get(key)
          texts.delete(key)
          return open ? said(open, lines, { step: open.reader.end(open.state), next: open.reader.end }) : ''
        },
        concerns: mentionsMarker,
      }
    },
    written: () => lines.written,
  }
}

/** The writer of a request that shows something shortened; a reply to any other has no marker of ours to copy. */
export function markerWriterFor(
  parts: Pick<SessionParts, 'store' | 'limits' | 'watch'>,
  turn: SessionTurn,
  count: MarkerWriterOptions['count'] = () => undefined,
): MarkerWriter | undefined {
  const { mode, scope, exchange, after, encoded, requestId } = turn
  if (mode !== 'on' || !encoded) return undefined
  const { pack } = encoded
  if (!pack.entries.some(({ rung }) => rung !== 'full')) return undefined
  const resolve = markerResolver(parts.store, { scope, handles: after.handles, exchange, pack })
  return markerWriter({
    resolve: async (marker) => {
      try {
        return await withinDeadline(resolve(marker), parts.limits.stageMs)
      } catch (error) {
        parts.watch.failed('marker', error, requestId)
        return undefined
      }
    },
    count,
  })
}

const argumentsOnly: ReadonlySet<TextKind> = new Set<TextKind>(['arguments'])

/** A whole reply with its markers written out; the body itself where it has none. */
export function withMarkersWritten(writer: MarkerWriter, { textPlaces }: Codec, body: string): Promise<string> {
  return rewriteReply(textPlaces, { kinds: argumentsOnly, ...writer.open() }, body)
}

/** The arguments of a call. */
interface OpenText {
  readonly form: ArgumentsForm
  readonly reader: MarkerReader
  state: MarkerReaderState
}

function opened(form: ArgumentsForm): OpenText {
  const reader = markerReader(form)
  return { form, reader, state: reader.initial }
}

interface Reading {
  readonly step: MarkerStep
  /** Reads on behind a marker. */
  readonly next: (state: MarkerReaderState) => MarkerStep
}

/** At once, where there is no marker whose lines have to be fetched. */
function said(open: OpenText, lines: LineWriter, reading: Reading): string | Promise<string> {
  open.state = reading.step.state
  return reading.step.marker ? withLines(open, lines, reading) : reading.step.passed
}

async function withLines(open: OpenText, lines: LineWriter, { step, next }: Reading): Promise<string> {
  let text = step.passed
  for (let { marker } = step; marker;) {
    const { said: own, behind } = await lines.write(open.form, marker)
    const after = next({ ...open.state, behind })
    open.state = after.state
    text += own + after.passed
    marker = after.marker
  }
  return text
}

/** More than this is not written into one reply, however often a marker is repeated. */
const mostChars = 8_000_000

interface WrittenLines {
  readonly said: string
  /** What is left out of what comes then. */
  readonly behind: readonly Behind[]
}

interface LineWriter {
  write(form: ArgumentsForm, marker: MarkerLine): Promise<WrittenLines>
  readonly written: number
}

function lineWriter(resolve: ResolveMarker, count: MarkerWriterOptions['count']): LineWriter {
  let chars = 0
  const lines = {
    written: 0,
    async write(form: ArgumentsForm, marker: MarkerLine): Promise<WrittenLines> {
      const { raw, before, lead } = marker
      const found = chars > mostChars ? undefined : await resolve(marker)
      count(found === undefined ? 'left' : 'written')
      if (found === undefined) return { said: before + raw, behind: [] }
      const { text, goesOn = false, behind = [] } = found
      lines.written += 1
      chars += text.length
      return {
        said: (goesOn ? '' : before) + inForm(form, withLead(text, lead)),
        behind: behind.map((each) => ({ ...each, text: each.text.replaceAll('\n', `\n${lead}`) })),
      }
    },
  }
  return lines
}

/** A patch marks every line; a marker that was indented stands for lines with an indent of their own. */
function withLead(text: string, lead: string): string {
  if (lead === '+' || lead === '-' || lead === ' ') return text.replaceAll('\n', `\n${lead}`)
  return text.startsWith(lead) ? text.slice(lead.length) : text
}
