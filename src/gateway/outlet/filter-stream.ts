import type { SseEvent, TextPlace, TextPlaces } from '../../codecs/index.ts'
import { withTexts } from '../../codecs/index.ts'
import type { FilterChain } from './filter-chain.ts'
import { toldSoFar } from './told-so-far.ts'
import type { ToldSoFar } from './told-so-far.ts'

type Filtered = readonly SseEvent[] | Promise<readonly SseEvent[]>

/** Filters the texts in the events of a stream; only an event whose own text must wait does so. */
export interface StreamFilter {
  events(events: readonly SseEvent[]): Filtered
  /** What is held back when the stream has ended. */
  end(): Promise<readonly SseEvent[]>
}

/** A text of the stream that may get more pieces. */
interface OpenText {
  readonly place: TextPlace
  /** An event with a piece of it. */
  readonly event: SseEvent
}

export function filterStream(places: TextPlaces, chain: FilterChain): StreamFilter {
  const open = openTexts()
  const told = toldSoFar(places)
  const found = placesIn(places, chain)

  /** Held text of what goes no further, as events of its own, before the next one of the stream. */
  const flushed = async (over: readonly OpenText[], next?: SseEvent): Promise<readonly SseEvent[]> => {
    const events: SseEvent[] = []
    for (const { place, event } of over) {
      open.delete(place)
      const text = told.add(place, await chain.end(place))
      if (text !== '') events.push(told.addition(places.addition(place, text, event), next))
    }
    return events
  }

  const thoroughly = async (
    event: SseEvent,
    here: readonly TextPlace[],
    ended: EndedLanes,
  ): Promise<readonly SseEvent[]> => {
    const pieces = here.filter(({ isAgain }) => isAgain !== true)
    const again = here.flatMap((place) => (place.isAgain === true ? open.sameAs(place) : []))
    const over = new Set([...again, ...open.overBefore(pieces, ended)])
    const before = await flushed([...over], event)
    const texts: string[] = []
    for (const place of here) {
      const isOver = isLast(place, ended)
      texts.push(await rewritten({ chain, told }, place, isOver))
      if (isOver) open.delete(place)
      else if (place.isAgain !== true) open.set({ place, event })
    }
    return [...before, told.later(changed(event, here, texts))]
  }

  const one = (event: SseEvent): Filtered => {
    const here = found(event)
    const [place] = here
    if (place === undefined && open.isEmpty()) return [told.later(event)]
    const ended = places.endedLanes(event)
    if (place === undefined && ended.length === 0) return [told.later(event)]
    const isPiece = place?.isAgain !== true && place?.isWhole !== true
    if (place === undefined || here.length > 1 || !open.isAlone(place) || ended.length > 0 || !isPiece)
      return thoroughly(event, here, ended)
    open.set({ place, event })
    const text = chain.piece(place, place.text)
    if (typeof text === 'string') return [told.later(changed(event, here, [told.add(place, text)]))]
    return text.then((said) => [told.later(changed(event, here, [told.add(place, said)]))])
  }

  return {
    events: (events) => {
      const [only] = events
      if (only === undefined) return events
      return events.length === 1 ? one(only) : inOrder(events, one)
    },
    end: () => flushed(open.overBefore([], 'all')),
  }
}

/** The texts of each event of a stream that the chain filters. */
function placesIn(places: TextPlaces, { kinds }: FilterChain): (event: SseEvent) => readonly TextPlace[] {
  const foreign = new Set<string>()
  const inEvent = places.inStream?.() ?? places.inEvent
  return (event) => {
    const skipped = places.foreign(event)
    if (skipped !== undefined) foreign.add(skipped)
    const all = inEvent(event, kinds)
    return foreign.size === 0 ? all : all.filter(({ key }) => !foreign.has(key))
  }
}

/** Lanes of texts that end with an event. */
type EndedLanes = ReturnType<TextPlaces['endedLanes']>

function isLast(place: TextPlace, ended: EndedLanes): boolean {
  return place.isWhole === true || ended === 'all' || ended.includes(place.lane)
}

/** A text that is told again says what its pieces have become; one that comes whole at once is a piece. */
async function rewritten(
  { chain, told }: { readonly chain: FilterChain; readonly told: ToldSoFar },
  place: TextPlace,
  isOver: boolean,
): Promise<string> {
  const before = place.isAgain === true ? told.whole(place) : undefined
  if (before !== undefined) return before
  const text = await chain.piece(place, place.text)
  return told.add(place, isOver || place.isAgain === true ? text + (await chain.end(place)) : text)
}

/** The texts that may get more pieces: found by their lanes, for a stream may have begun very many. */
interface OpenTexts {
  isEmpty(): boolean
  /** Whether no other text of its lane is open. */
  isAlone(place: TextPlace): boolean
  set(text: OpenText): void
  delete(place: TextPlace): void
  /** The same text, if it is open. */
  sameAs(place: TextPlace): readonly OpenText[]
  /** Texts that end with an event: those whose lane ends, and those before a new one in their lane. */
  overBefore(here: readonly TextPlace[], ended: EndedLanes): readonly OpenText[]
}

function openTexts(): OpenTexts {
  const lanes = new Map<string, Map<string, OpenText>>()
  return {
    isEmpty: () => lanes.size === 0,
    isAlone({ lane, key }) {
      const texts = lanes.get(lane)
      return texts === undefined || (texts.size === 1 && texts.has(key))
    },
    set(text) {
      const { lane, key } = text.place
      lanes.set(lane, (lanes.get(lane) ?? new Map<string, OpenText>()).set(key, text))
    },
    delete({ lane, key }) {
      const texts = lanes.get(lane)
      texts?.delete(key)
      if (texts?.size === 0) lanes.delete(lane)
    },
    sameAs({ lane, key }) {
      const found = lanes.get(lane)?.get(key)
      return found ? [found] : []
    },
    overBefore(here, ended) {
      const keys = new Set(here.map(({ key }) => key))
      const over = new Set(ended === 'all' ? lanes.keys() : [...here.map(({ lane }) => lane), ...ended])
      return [...over].flatMap((lane) =>
        [...(lanes.get(lane)?.values() ?? [])].filter(({ place }) => !keys.has(place.key)),
      )
    },
  }
}

function changed(event: SseEvent, places: readonly TextPlace[], texts: readonly string[]): SseEvent {
  const data = withTexts(event.data, places, texts)
  return data === event.data ? event : { ...event, data }
}

/** Waits only from the first event on that has to. */
function inOrder(events: readonly SseEvent[], one: (event: SseEvent) => Filtered): Filtered {
  const all: SseEvent[] = []
  for (const [index, event] of events.entries()) {
    const filtered = one(event)
    if (filtered instanceof Promise) return rest(all, filtered, { events: events.slice(index + 1), one })
    all.push(...filtered)
  }
  return all
}

async function rest(
  before: readonly SseEvent[],
  first: Promise<readonly SseEvent[]>,
  { events, one }: { readonly events: readonly SseEvent[]; readonly one: (event: SseEvent) => Filtered },
): Promise<readonly SseEvent[]> {
  const all = [...before, ...(await first)]
  for (const event of events) all.push(...(await one(event)))
  return all
}
