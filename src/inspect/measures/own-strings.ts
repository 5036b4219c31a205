import { usedStrings } from '../find-needles.ts'
import type { Needle, Trace, TraceMessage } from '../trace.ts'
import { textBy } from './said-text.ts'

/** By index of the request. */
type UsedStrings = ReadonlyMap<number, readonly Needle[]>

/** Strings in the calls of each answer that stood before in one kind of the agent's own words and nowhere else. */
export interface OwnStrings {
  /** In calls: what the agent has written itself and goes by. */
  readonly called: UsedStrings
  /** In text of the assistant. */
  readonly said: UsedStrings
}

export function ownStrings(trace: Trace): OwnStrings {
  const search = holderSearch()
  const called = new Map<number, readonly Needle[]>()
  const said = new Map<number, readonly Needle[]>()
  for (const [index, { messages, answer }] of trace.requests.entries()) {
    if (answer === undefined) continue
    const found = usedStrings(answer).map((text) => ({ text, ...search(text, messages) }))
    const by = (wanted: OwnPlace): readonly Needle[] =>
      found.flatMap(({ text, place, sources }) => (place === wanted ? [{ text, sources }] : []))
    if (by('call').length > 0) called.set(index, by('call'))
    if (by('said').length > 0) said.set(index, by('said'))
  }
  return { called, said }
}

type OwnPlace = 'call' | 'said'
type Place = OwnPlace | 'elsewhere' | 'nowhere'

interface Held {
  readonly place: Place
  readonly sources: readonly string[]
}

/** Ids of the messages in which the agent alone says a text, in calls or in words but not in both. Each pair is looked at once. */
function holderSearch() {
  const known = new Map<string, Map<string, Place>>()
  const placeIn = placeFinder()
  return (text: string, messages: readonly TraceMessage[]): Held => {
    const places = known.get(text) ?? new Map<string, Place>()
    known.set(text, places)
    const sources: string[] = []
    let found: Place = 'nowhere'
    for (const message of messages) {
      const place = places.get(message.id) ?? placeIn(text, message)
      places.set(message.id, place)
      if (place === 'nowhere') continue
      if (place === 'elsewhere' || (found !== 'nowhere' && found !== place)) return { place: 'elsewhere', sources: [] }
      found = place
      sources.push(message.id)
    }
    return { place: found, sources }
  }
}

function placeFinder(): (text: string, message: TraceMessage) => Place {
  const texts = new Map<string, Readonly<Record<'called' | 'said' | 'others', string>>>()
  const textsOf = (message: TraceMessage) => {
    const before = texts.get(message.id)
    if (before !== undefined) return before
    const words = textBy(message, 'said')
    const isOwn = message.role === 'assistant'
    const made = {
      called: textBy(message, 'called'),
      said: isOwn ? words : '',
      others: `${textBy(message, 'observed')}\n${isOwn ? '' : words}`,
    }
    texts.set(message.id, made)
    return made
  }
  return (text, message) => {
    const { called, said, others } = textsOf(message)
    const [isCalled, isSaid] = [called.includes(text), said.includes(text)]
    if (others.includes(text) || (isCalled && isSaid)) return 'elsewhere'
    return isCalled ? 'call' : isSaid ? 'said' : 'nowhere'
  }
}
