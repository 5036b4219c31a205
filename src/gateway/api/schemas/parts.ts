import { z } from 'zod'

export const count = z.number().int().min(0)
export const tokens = z.number().int().min(0)
export const usd = z.number().describe('Dollars.')
export const ms = z.number().min(0)
export const atMs = z.number().describe('Milliseconds since the epoch.')

/** Parameters that lists have in common. */
export function limit(usual: number, most = 1000) {
  return z.coerce.number().int().min(1).max(most).default(usual).describe(`How many. Default: ${usual}.`)
}

export const cursor = z.string().min(1).max(2000).optional().describe('`next` of the page before.')

/** A time in a query: ISO-8601, or milliseconds since the epoch. */
export const time = z
  .string()
  .transform((text, context) => {
    const at = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text)
    if (Number.isFinite(at)) return at
    context.addIssue('is no time; write 2026-11-21T10:00:00Z or milliseconds since the epoch')
    return z.NEVER
  })
  .optional()

export const since = time.describe('This time or later: ISO-8601 or milliseconds since the epoch.')
export const until = time.describe('Before this time.')

export const name = z.string().min(1).max(500)

/** A page of a list: `next` goes on, and is null at the end. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    object: z.literal('list'),
    data: z.array(row),
    next: z.string().nullable().describe('`cursor` of the page behind this one; null where there is none.'),
  })
}

/** What was paid, and what the same would have come to sent otherwise. */
export const money = {
  usd,
  passThroughUsd: usd.describe('Had everything been sent, with our cache marks: an estimate.'),
  clientUsd: usd.describe("The client's own requests, with its own cache marks or none: an estimate."),
}

/** Of mode `observe`. */
export const moneyIfOn = {
  observedUsd: usd.describe('Of `usd`: paid in mode `observe`, as far as there is an estimate of mode `on`.'),
  ifOnUsd: usd.describe('What mode `on` would have cost instead: an estimate by a simulated cache.'),
  ifOnPassThroughUsd: usd.describe('The same with everything sent and our cache marks.'),
}
