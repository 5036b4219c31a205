import type { ReplyFilter, ReplyText } from '../../outlet/reply-filter.ts'
import { markerReader } from '../../../sessions/index.ts'
import type {
  ArgumentsForm,
  MarkerLine,
  MarkerReader,
  MarkerReaderState,
  MarkerStep,
  ResolveMarker,
} from '../../../sessions/index.ts'

/**
 * Keeps our markers out of what a client runs: in the arguments of its calls, each marker that a model has copied is
 * written out as the lines that it stands for. What cannot be resolved stays as it is.
 */
export interface MarkerFilter extends ReplyFilter {
  readonly written: number
}

export interface MarkerFilterOptions {
  readonly resolve: ResolveMarker
  /** Told of every marker. */
  readonly count: (result: 'written' | 'left') => void
}

export function markerFilter({ resolve, count }: MarkerFilterOptions): MarkerFilter {
  const writer = lineWriter(resolve, count)
  return {
    name: 'marker',
    failure: 'open',
    kinds: ['arguments'],
    open: () => {
      const texts = new Map<string, OpenText>()
      return {
        piece: ({ key, form }, text) => {
          const { reader, state } = texts.get(key) ?? opened(form)
          const step = reader.step(state, text)
          texts.set(key, { reader, state: step.state })
          return said(writer, form, step.output)
        },
        end: ({ key, form }) => {
          const open = texts.get(key)
          texts.delete(key)
          return open ? said(writer, form, open.reader.end(open.state)) : ''
        },
        concerns: (body) => mentionsMarker.test(body),
      }
    },
    get written() {
      return writer.written
    },
  }
}

/** The arguments of a call. */
interface OpenText {
  readonly reader: MarkerReader
  readonly state: MarkerReaderState
}

function opened(form: ReplyText['form']): OpenText {
  const reader = markerReader(form)
  return { reader, state: reader.initial }
}

/** At once, where there is no marker whose lines have to be fetched. */
function said(writer: LineWriter, form: ArgumentsForm, output: MarkerStep['output']): string | Promise<string> {
  const [only = ''] = output
  return output.length < 2 && typeof only === 'string' ? only : writer.joined(form, output)
}

/** More than this is not written into one reply, however often a marker is repeated. */
const mostChars = 8_000_000

interface LineWriter {
  joined(form: ArgumentsForm, output: MarkerStep['output']): Promise<string>
  readonly written: number
}

function lineWriter(resolve: ResolveMarker, count: MarkerFilterOptions['count']): LineWriter {
  let written = 0
  let chars = 0
  const lines = async (form: ArgumentsForm, marker: MarkerLine): Promise<string> => {
    const text = chars > mostChars ? undefined : await resolve(marker)
    count(text === undefined ? 'left' : 'written')
    if (text === undefined) return marker.raw
    written += 1
    chars += text.length
    return inForm(form, withLead(text, marker.lead))
  }
  return {
    joined: async (form, output) => {
      let text = ''
      for (const part of output) text += typeof part === 'string' ? part : await lines(form, part)
      return text
    },
    get written() {
      return written
    },
  }
}

/** What every form of ours says, however it is escaped. */
const mentionsMarker = /folded|rehydrate|lines? as in /

/** A patch marks every line; a marker that was indented stands for lines with an indent of their own. */
function withLead(text: string, lead: string): string {
  if (lead === '+' || lead === '-' || lead === ' ') return text.replaceAll('\n', `\n${lead}`)
  return text.startsWith(lead) ? text.slice(lead.length) : text
}

function inForm(form: ArgumentsForm, text: string): string {
  return form === 'json' ? JSON.stringify(text).slice(1, -1) : text
}
