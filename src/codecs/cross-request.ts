import type { Exchange, JsonValue, Loss } from '../core/index.ts'
import { invalidInput, isJsonObject } from '../core/index.ts'
import type { Codec } from './codec.ts'
import { parseData } from './reply-body.ts'

/** A request of one dialect, written in another. */
export interface CrossedRequest {
  readonly path: string
  /** Headers that the other dialect asks for. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What it does not say, or not as it was. */
  readonly lost: readonly Loss[]
}

/** Writes a request anew in another dialect. Throws `invalid-input` where that dialect can hold no such conversation. */
export function crossRequest(from: Codec, to: Codec, exchange: Exchange): CrossedRequest {
  const { conversation, wire } = exchange
  const kept = from.elsewhere?.(exchange)
  if (kept !== undefined) throw isElsewhere(kept)
  const mediaUrl = (itemId: string): string | undefined => from.mediaUrl(exchange, itemId)
  const { body, lost } = to.write(conversation, { mediaUrl })
  const { header, headerValue } = to.signs
  return {
    path: to.pathTo(conversation),
    headers: header !== undefined && headerValue !== undefined ? { [header]: headerValue } : {},
    body,
    lost: [...lost, ...unsaid(from, wire.body)],
  }
}

function isElsewhere(field: string): Error {
  const remedy = 'Send the whole conversation (with store: false where an SDK has that), or ask that provider.'
  return invalidInput(field, 'asks for what another provider keeps', remedy)
}

/** What a body says that a conversation has no word for. */
function unsaid({ carried }: Codec, body: string): readonly Loss[] {
  const members = parseData(body)
  if (!isJsonObject(members)) return []
  return Object.entries(members).flatMap(([name, value]) =>
    namesIn(name, value, carried)
      .filter((what) => !carried.has(what))
      .map((what): Loss => ({ kind: 'sampling', what, why: 'nobody knows what it means elsewhere' })),
  )
}

/** A member, or where only some of its own are carried, these; null says nothing. */
function namesIn(name: string, value: JsonValue | undefined, carried: ReadonlySet<string>): readonly string[] {
  if (value === null || value === undefined) return []
  const isOpened = [...carried].some((known) => known.startsWith(`${name}.`))
  return isOpened && isJsonObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name]
}
