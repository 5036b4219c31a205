import { z } from 'zod'
import { count, usd } from './parts.ts'

const carried = {
  carried: count.describe('Tokens sent: those of each item, once for every request that it was part of.'),
  usd: usd.nullable().describe('Its share of what those requests cost, by tokens; null where none is priced.'),
}

export const tokenUsage = z
  .strictObject({
    requests: count.describe('The newest requests, of which all this is.'),
    whole: z.boolean().describe('False where there are older requests in that time.'),
    carried: count,
    usd: usd.nullable(),
    groups: z
      .array(z.strictObject({ group: z.string(), ...carried }))
      .describe('By what they are: system prompt, tool definitions, results by tool, calls, assistant, user.'),
    items: z
      .array(
        z.strictObject({
          session: z.string(),
          requestId: z.string().describe('The newest request that carried it.'),
          itemId: z.string(),
          name: z.string(),
          group: z.string(),
          tokens: count.describe('In that request.'),
          requests: count.describe('How many requests carried it.'),
          ...carried,
        }),
      )
      .describe('Those that took most.'),
  })
  .meta({ id: 'TokenUsage' })

export const sessionLabel = z
  .strictObject({
    session: z.string(),
    words: z.string().describe('The first words of the user; empty where they are not recorded.'),
    model: z.string().nullable(),
  })
  .meta({ id: 'SessionLabel' })
