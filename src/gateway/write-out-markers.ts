import type { CallPlace, CallText, SseEvent } from '../codecs/index.ts'
import { withCallTexts } from '../codecs/index.ts'
import type { ArgumentsForm, MarkerLine, MarkerReader, MarkerReaderState, MarkerStep } from './marker-reader.ts'
import { markerReader } from './marker-reader.ts'
import type { ResolveMarker } from './resolve-marker.ts'

/**
 * Keeps our markers out of what a client runs: in the arguments of its calls, each marker that a model has copied is
 * written out as the lines that it stands for. What cannot be resolved stays as it is.
 */
export interface MarkerGuard {
  /** Events of the client's stream, in order; an event waits for the lines of its own markers only. */
  events(events: readonly SseEvent[]): readonly SseEvent[] | Promise<readonly SseEvent[]>
  /** What is held back when the stream has ended. */
  end(): Promise<readonly SseEvent[]>
  /** A whole reply. */
  reply(body: string): Promise<string>
  readonly written: number
}

export interface GuardOptions {
  readonly callText: CallText
  readonly resolve: ResolveMarker
  /** Told of every marker. */
  readonly count: (result: 'written' | 'left') => void
}

export function markerGuard({ callText, resolve, count }: GuardOptions): MarkerGuard {
  const writer = lineWriter(resolve, count)
  const stream = streamGuard(callText, writer)
  return {
    events: (events) => {
      const [only] = events
      if (only === undefined) return events
      return events.length === 1 ? stream.one(only) : inOrder(events, stream.one)
    },
    end: () => stream.flushed(() => true),
    reply: (body) => wholeReply(callText, writer, body),
    get written() {
      return writer.written
    },
  }
}

/** More than this is not written into one reply, however often a marker is repeated. */
const mostChars = 8_000_000

interface LineWriter {
  joined(form: ArgumentsForm, output: MarkerStep['output']): Promise<string>
  readonly written: number
}

function lineWriter(resolve: ResolveMarker, count: GuardOptions['count']): LineWriter {
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

type Guarded = readonly SseEvent[] | Promise<readonly SseEvent[]>

interface StreamGuard {
  one(event: SseEvent): Guarded
  /** Held text of calls that go no further, as events of its own. */
  flushed(isOver: (call: string) => boolean): Promise<readonly SseEvent[]>
}

/** A call of a stream. */
interface OpenCall {
  readonly reader: MarkerReader
  readonly place: CallPlace
  readonly event: SseEvent
  readonly state: MarkerReaderState
}

function streamGuard(callText: CallText, writer: LineWriter): StreamGuard {
  const open = new Map<string, OpenCall>()
  const foreign = new Set<string>()

  const places = (event: SseEvent): readonly CallPlace[] => {
    const skipped = callText.foreignCall(event)
    if (skipped !== undefined) foreign.add(skipped)
    const found = callText.inEvent(event)
    return foreign.size === 0 ? found : found.filter(({ call }) => !foreign.has(call))
  }

  /** The text of a piece that may go out now. */
  const stepped = (event: SseEvent, place: CallPlace, isLast: boolean): string | Promise<string> => {
    const known = open.get(place.call)
    const reader = known?.reader ?? markerReader(place.form)
    const { state, output } = reader.step(known?.state ?? reader.initial, place.text)
    open.set(place.call, { reader, place, event, state: isLast ? reader.initial : state })
    const all = isLast ? [...output, ...reader.end(state)] : output
    const [only = ''] = all
    return all.length < 2 && typeof only === 'string' ? only : writer.joined(place.form, all)
  }

  const flushed: StreamGuard['flushed'] = async (isOver) => {
    const events: SseEvent[] = []
    for (const [call, { reader, place, event, state }] of open) {
      if (!isOver(call)) continue
      open.delete(call)
      const text = await writer.joined(place.form, reader.end(state))
      if (text !== '') events.push(callText.addition(place, text, event))
    }
    return events
  }

  const guarded = async (event: SseEvent, found: readonly CallPlace[]): Promise<readonly SseEvent[]> => {
    const isLast = callText.endsCalls(event)
    const here = new Set(found.map(({ call }) => call))
    const before = isLast || found.length > 0 ? await flushed((call) => !here.has(call)) : []
    const texts: string[] = []
    for (const place of found) texts.push(await stepped(event, place, isLast))
    return [...before, withTexts(event, found, texts)]
  }

  const one = (event: SseEvent): Guarded => {
    const found = places(event)
    const [place] = found
    const isHolding = open.values().some(({ state }) => state.held !== '')
    if (place === undefined) return isHolding ? guarded(event, found) : [event]
    if (found.length > 1 || isHolding || callText.endsCalls(event)) return guarded(event, found)
    const text = stepped(event, place, false)
    if (typeof text === 'string') return [withTexts(event, found, [text])]
    return text.then((changed) => [withTexts(event, found, [changed])])
  }

  return { one, flushed }
}

function withTexts(event: SseEvent, found: readonly CallPlace[], texts: readonly string[]): SseEvent {
  const data = withCallTexts(event.data, found, texts)
  return data === event.data ? event : { ...event, data }
}

async function inOrder(events: readonly SseEvent[], one: StreamGuard['one']): Promise<readonly SseEvent[]> {
  const all: SseEvent[] = []
  for (const event of events) all.push(...(await one(event)))
  return all
}

async function wholeReply(callText: CallText, writer: LineWriter, body: string): Promise<string> {
  if (!mentionsMarker.test(body)) return body
  const found = callText.inReply(body)
  const texts: string[] = []
  for (const { form, text } of found) {
    const reader = markerReader(form)
    const { state, output } = reader.step(reader.initial, text)
    texts.push(await writer.joined(form, [...output, ...reader.end(state)]))
  }
  return withCallTexts(body, found, texts)
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
