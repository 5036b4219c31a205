import { z } from 'zod'
import { count, money, moneyIfOn, ms, tokens, usd } from './parts.ts'

const pages = z
  .strictObject({
    lane: z.string().nullable().describe('The conversation that these are of; null for all of the session.'),
    requests: count,
    size: count.describe('Requests of every page but the last.'),
    starts: z
      .array(count)
      .describe('The sequence number with which each begins: `/timeline?after=START-1&limit=SIZE` is the page.'),
  })
  .describe('Where every request of the timeline stands, so that any of its pages can be asked for by itself.')

export const sessionOutline = z
  .strictObject({
    session: z.string(),
    requests: count.describe('Those whose receipts are kept; all that follows is of these.'),
    open: count.describe('Those of them that run, or whose end was never told.'),
    whole: z.boolean().describe('False where there are 100,000 or more: all is then of the first ones.'),
    lanes: z.array(z.strictObject({ lane: z.string(), requests: count })),
    sections: z.array(z.string()),
    widestTokens: tokens.describe('Of the largest request that was sent.'),
    priced: count.describe('Those of them that the dollars are of.'),
    usd: usd.nullable().describe('Dollars; null where nothing is priced.'),
    passThroughUsd: money.passThroughUsd.nullable(),
    clientUsd: money.clientUsd.nullable(),
    ...moneyIfOn,
    whyMore: z
      .string()
      .nullable()
      .describe("Why it costs more than the client's own requests would have; null where it does not."),
    inputTokens: tokens.describe('Of those whose provider has told what it read from its cache.'),
    cachedTokens: tokens,
    breaks: count.describe('Breaks of the cache; what is too short for one has none.'),
    failures: count,
    hiddenRounds: count,
    overheadMs: ms.nullable().describe('The median.'),
    money: z
      .array(
        z.strictObject({
          ordinal: count,
          ...money,
          ifOnUsd: usd.describe('`usd`, with what mode `on` would have cost in place of what was observed.'),
        }),
      )
      .describe('Added up, at every so many requests and at the last: 501 at most.'),
    epochs: z.array(count).describe('Requests with which an epoch began, counted from 1.'),
    pages,
  })
  .meta({ id: 'SessionOutline' })
