import type { RenderedMessage } from '../render.ts'
import type { TraceRequest } from '../trace.ts'

/**
 * When the form was taken in which something is shown: as it arrived, in an epoch that began when the cache held nothing anyway, or in one
 * that had to pay for what it wrote anew.
 */
export type Moment = 'birth' | 'cold' | 'warm'

/** What of a request is saved by forms of each moment, in plain input tokens; less than nothing where they are longer. */
export type SavedByMoment = Readonly<Record<Moment, number>>

/** Of the provider, in multiples of the plain input price. */
export interface MomentPrices {
  readonly read: number
  readonly write: number
  readonly ttlMs: number
}

export interface Moments {
  /** `began` is the kind of epoch that began with the request, where one did. */
  look(sent: SentRequest, began: Moment | undefined): RequestSavings
}

export interface SentRequest {
  readonly request: TraceRequest
  readonly sent: readonly RenderedMessage[]
}

export interface RequestSavings {
  /** What sending everything would have paid for the tokens that are not sent, by the moment that took them out. */
  readonly saved: SavedByMoment
  /** The moment that pays for what the request writes anew; absent where no form has changed. */
  readonly changed?: Moment
}

/** Follows the forms of one session. */
export function moments(
  { read, write, ttlMs }: MomentPrices,
  tokensOf: (message: TraceRequest['messages'][number]) => number,
): Moments {
  const known = new Map<string, { tokens: number; readonly saved: Record<Moment, number> }>()
  let lastMs: number | undefined
  return {
    look({ request: { messages, atMs }, sent }, began) {
      const isCold = lastMs !== undefined && atMs - lastMs > ttlMs
      lastMs = atMs
      const shown = new Map<string, number>()
      for (const { sourceId, tokens } of sent) shown.set(sourceId, (shown.get(sourceId) ?? 0) + tokens)
      const sums = { birth: 0, cold: 0, warm: 0 }
      let changed: Moment | undefined
      for (const message of messages) {
        const now = shown.get(message.id) ?? 0
        const before = known.get(message.id)
        const own = before ?? { tokens: tokensOf(message), saved: { birth: 0, cold: 0, warm: 0 } }
        if (now !== own.tokens) {
          const moment = before === undefined ? 'birth' : (began ?? 'warm')
          if (moment !== 'birth') changed = moment
          own.saved[moment] += own.tokens - now
          own.tokens = now
        }
        known.set(message.id, own)
        const rate = before === undefined || isCold ? write : read
        for (const moment of ['birth', 'cold', 'warm'] as const) sums[moment] += rate * own.saved[moment]
      }
      const pays = began ?? changed
      return { saved: sums, ...(pays !== undefined && { changed: pays }) }
    },
  }
}
