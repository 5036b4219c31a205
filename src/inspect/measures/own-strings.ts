import { usedStrings } from '../find-needles.ts'
import type { Needle, Trace, TraceMessage } from '../trace.ts'
import { textBy } from './said-text.ts'

/**
 * Strings in the calls of each answer that stood before in calls of the agent's own and nowhere else: what it has written itself and
 * goes by. By index of the request.
 */
export function ownStrings(trace: Trace): ReadonlyMap<number, readonly Needle[]> {
  const search = holderSearch()
  const found = new Map<number, readonly Needle[]>()
  for (const [index, { messages, answer }] of trace.requests.entries()) {
    if (answer === undefined) continue
    const own = usedStrings(answer).flatMap((text): readonly Needle[] => {
      const sources = search(text, messages)
      return sources.length === 0 ? [] : [{ text, sources }]
    })
    if (own.length > 0) found.set(index, own)
  }
  return found
}

/** Ids of the messages whose calls hold a text; none where somebody else has said it, too. Each pair is looked at once. */
function holderSearch() {
  const known = new Map<string, Map<string, 'elsewhere' | 'call' | 'nowhere'>>()
  const texts = new Map<string, { readonly called: string; readonly others: string }>()
  const textsOf = (message: TraceMessage) => {
    const before = texts.get(message.id)
    if (before !== undefined) return before
    const others = `${textBy(message, 'observed')}\n${textBy(message, 'said')}`
    const made = { called: textBy(message, 'called'), others }
    texts.set(message.id, made)
    return made
  }
  return (text: string, messages: readonly TraceMessage[]): readonly string[] => {
    const places = known.get(text) ?? new Map<string, 'elsewhere' | 'call' | 'nowhere'>()
    known.set(text, places)
    const sources: string[] = []
    for (const message of messages) {
      let place = places.get(message.id)
      if (place === undefined) {
        const { called, others } = textsOf(message)
        place = others.includes(text) ? 'elsewhere' : called.includes(text) ? 'call' : 'nowhere'
        places.set(message.id, place)
      }
      if (place === 'elsewhere') return []
      if (place === 'call') sources.push(message.id)
    }
    return sources
  }
}
