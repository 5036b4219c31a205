import type { Edit } from './splice.ts'
import { splice } from './splice.ts'
import type { SseEvent } from './sse.ts'

/** What a model says to people, what it says to itself, and what it gives to the client's tools. */
export type TextKind = 'text' | 'reasoning' | 'arguments'

/** Where a JSON text (a reply, or an event's data) has a text of the model's, or a piece of one. */
export interface TextPlace {
  readonly kind: TextKind
  /** Which text it belongs to; the pieces of one text come in order. */
  readonly key: string
  /** Which of several choices of a reply says it; absent where a reply is one. */
  readonly choice?: string
  /** Texts of one lane come one after the other: the first piece of the next one ends those before it. */
  readonly lane: string
  readonly start: number
  readonly end: number
  /** As the model wrote it; never empty. */
  readonly text: string
  /** Arguments are the source of a JSON value, save those of free-form tools; all else is plain. */
  readonly form: 'json' | 'plain'
  /** Whether it stands there as a JSON string. */
  readonly isQuoted: boolean
  /** A text that is told whole, of which the pieces may have come before. */
  readonly isAgain?: true
  /** A text that comes whole at once, and gets no more pieces. */
  readonly isWhole?: true
}

/** Where a dialect has the texts of a model. Pure; throws `upstream-broken` where there is more than can be read, and else never. */
export interface TextPlaces {
  /** The pieces of texts of these kinds in an event, in order; many events have none. */
  inEvent(event: SseEvent, kinds: ReadonlySet<TextKind>): readonly TextPlace[]
  /** The same for the events of one stream in turn, where what came before tells which text a piece belongs to. */
  inStream?(): TextPlaces['inEvent']
  /** The text that an event begins and that is not for the client to act on, such as a call that the provider answers. */
  foreign(event: SseEvent): string | undefined
  /** The lanes whose texts get no more pieces after this event. */
  endedLanes(event: SseEvent): readonly string[] | 'all'
  /** An event that adds a text to the one that has a piece in `like`. */
  addition(place: TextPlace, text: string, like: SseEvent): SseEvent
  inReply(body: string, kinds: ReadonlySet<TextKind>): readonly TextPlace[]
  /** Whether texts come whole after their pieces. */
  readonly tellsAgain?: true
  /** Where events are numbered: the number of one, and the event with another. */
  numberOf?(event: SseEvent): number | undefined
  numbered?(event: SseEvent, number: number): SseEvent
}

/** The JSON text with other texts in its places. */
export function withTexts(
  json: string,
  places: readonly Pick<TextPlace, 'start' | 'end' | 'text' | 'isQuoted'>[],
  texts: readonly string[],
): string {
  const edits = places.flatMap(({ start, end, text, isQuoted }, index): Edit[] => {
    const changed = texts[index] ?? text
    return changed === text ? [] : [{ start, end, text: isQuoted ? JSON.stringify(changed) : changed }]
  })
  return edits.length === 0 ? json : splice(json, edits)
}

/** Changes texts of a reply of which pieces come: what may yet change with the pieces to come is held back until the end. */
export interface TextRewriter {
  /** What it wants to see; nothing else is read or written anew for it. */
  readonly kinds: ReadonlySet<TextKind>
  /** Whether a whole reply may have anything to change; spares a scan where it has not. */
  concerns(body: string): boolean
  piece(of: RewrittenText, text: string): string | Promise<string>
  end(of: RewrittenText): string | Promise<string>
}

type RewrittenText = Pick<TextPlace, 'kind' | 'key' | 'form' | 'choice'>

/** A whole reply with its texts rewritten, those that it has in pieces as one; the body itself where nothing changes. */
export async function rewriteReply(places: TextPlaces, rewriter: TextRewriter, body: string): Promise<string> {
  if (!rewriter.concerns(body)) return body
  const found = places.inReply(body, rewriter.kinds)
  const texts: string[] = []
  const last = new Map(found.map(({ key }, index) => [key, index]))
  for (const [index, place] of found.entries()) {
    const said = await rewriter.piece(place, place.text)
    texts.push(last.get(place.key) === index ? said + (await rewriter.end(place)) : said)
  }
  return withTexts(body, found, texts)
}

/** A whole text, rewritten. */
export async function rewriteText(
  rewriter: Pick<TextRewriter, 'piece' | 'end'>,
  of: RewrittenText,
  text: string,
): Promise<string> {
  return (await rewriter.piece(of, text)) + (await rewriter.end(of))
}
