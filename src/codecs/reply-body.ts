import type { JsonTree, JsonValue, Usage } from '../core/index.ts'
import { PrehendError, isJsonObject, isPrehendError, scanJson } from '../core/index.ts'

/** What an upstream sent instead of what it should have sent. */
export function upstreamBroken(what: string, cause?: unknown): PrehendError<'upstream-broken'> {
  const remedy = 'Look at what the upstream answers to this request.'
  return new PrehendError('upstream-broken', `the upstream's reply ${what}`, { remedy }, cause)
}

/** Values of a reply, or of one event, that are read: many times what a model says, the likelihoods of its words included. */
const mostValues = 1_000_000

/** Where the values of a reply stand. Throws `upstream-broken`. */
export function scanReply(body: string): JsonTree {
  try {
    return scanJson(body, { mostValues })
  } catch (error) {
    throw upstreamBroken(isBeyondLimits(error) ? `has more than ${mostValues} values` : 'is not JSON', error)
  }
}

/** The same, where what is no JSON is passed over; undefined for that. */
export function placesIn(json: string): JsonTree | undefined {
  try {
    return scanReply(json)
  } catch (error) {
    if (isBeyondLimits(error)) throw error
    return undefined
  }
}

/** Whether something was not read because it is too much, and not because of what it says. */
export function isBeyondLimits(error: unknown): boolean {
  return isPrehendError(error) && (error.code === 'beyond-limits' || isBeyondLimits(error.cause))
}

/** Shorter texts cannot be nested deeper than `scanJson` goes. */
const shallowLength = 1000

/** The JSON value of an event's data; undefined when it is no JSON, which readers of streams pass over. */
export function parseData(data: string): JsonValue | undefined {
  try {
    if (data.length > shallowLength) scanReply(data)
    // Whatever JSON.parse returns is a JsonValue.
    return JSON.parse(data) as JsonValue
  } catch {
    return undefined
  }
}

/** No request uses more tokens; a sum of larger figures would be no number any more. */
const mostTokens = 100_000_000

/** A figure of a usage object; anything but a possible number of tokens is as good as absent. */
export function figure(value: JsonValue | undefined, name: string): number | undefined {
  const found = isJsonObject(value) ? value[name] : undefined
  return typeof found === 'number' && found >= 0 && found <= mostTokens ? found : undefined
}

/** What a body says was used, read by its dialect; an error says nothing. */
export function usageIn(body: string, read: (usage: JsonValue | undefined) => Usage | undefined): Usage | undefined {
  const reply = parseData(body)
  return isJsonObject(reply) && (reply['error'] ?? null) === null ? read(reply['usage']) : undefined
}

export function sum(...figures: readonly (number | undefined)[]): number {
  return figures.reduce<number>((total, value) => total + (value ?? 0), 0)
}

/** The failure that an error object describes, whatever members it has. */
export function failureOf(error: JsonValue | undefined): { readonly type: string; readonly message: string } {
  const fields = isJsonObject(error) ? error : {}
  const { type: told, code } = fields
  const type =
    typeof told === 'string' ? told : typeof code === 'string' || typeof code === 'number' ? String(code) : 'error'
  const message = typeof fields['message'] === 'string' ? fields['message'] : JSON.stringify(error ?? null)
  return { type, message }
}

export const truncated = { type: 'truncated', message: 'the stream ended before the reply was complete' } as const
