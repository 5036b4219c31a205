import type { SseEvent, TextPlace, TextPlaces } from '../../codecs/index.ts'

/** What a client has got of a stream: its texts, in dialects that tell them again, and how many events of ours. */
export interface ToldSoFar {
  /** The text, remembered. */
  add(place: TextPlace, text: string): string
  /** What has been told of a text; undefined where that is nothing, or is not asked for. */
  whole(place: TextPlace): string | undefined
  /** An event of ours, before the next one of the stream. */
  addition(event: SseEvent, next: SseEvent | undefined): SseEvent
  /** An event of the stream, with a number that counts those of ours. */
  later(event: SseEvent): SseEvent
}

export function toldSoFar(places: TextPlaces): ToldSoFar {
  const texts = new Map<string, string>()
  let added = 0
  const numbered = (event: SseEvent, number: number | undefined): SseEvent =>
    number === undefined ? event : (places.numbered?.(event, number + added) ?? event)
  return {
    add({ key }, text) {
      if (places.tellsAgain === true) texts.set(key, (texts.get(key) ?? '') + text)
      return text
    },
    whole: ({ key }) => texts.get(key),
    addition(event, next) {
      const addition = numbered(event, places.numberOf?.(next ?? event))
      added += 1
      return addition
    },
    later: (event) => (added === 0 ? event : numbered(event, places.numberOf?.(event))),
  }
}
