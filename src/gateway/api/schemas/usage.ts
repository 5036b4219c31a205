import { z } from 'zod'
import { whyWhole } from './receipts.ts'
import { atMs, count, tokens, usd } from './parts.ts'

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
    drift: z
      .array(
        z.strictObject({
          fromMs: atMs,
          requests: count,
          groups: z.array(z.strictObject({ group: z.string(), carried: count })),
        }),
      )
      .describe('The same over time: up to 20 runs of successive requests, the oldest first.'),
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

const learntUse = z
  .strictObject({
    sessions: count.describe('Conversations that had the tool; older ones count less.'),
    calledIn: count.describe('Of them, those that called it.'),
    offered: count.describe('Messages of users for which it was defined and among the first 20 of a search.'),
    called: count.describe('Messages of users after which it was called and gave a result.'),
    failed: count.describe('Calls that failed.'),
    quality: z.number().describe('The factor by which searches rank it, from 0.5 to 1.5; 1 where nothing is known.'),
  })
  .describe('What is learnt of the tool over all sessions of the tenant; absent where nothing is.')

const clientTool = z
  .strictObject({
    name: z.string(),
    isOurs: z.boolean().describe('Whether the gateway adds it, so that others are found.'),
    defined: count.describe('Requests that defined it.'),
    wasted: count
      .nullable()
      .describe('Of them, those whose conversation had not called it so far; null where calls are not recorded.'),
    called: count.nullable().describe('Calls in those conversations, each once; null where they are not recorded.'),
    failed: count.nullable().describe('Results that say that the call failed; null as before.'),
    tokens: tokens.describe('Of its definition, in the newest request that has it.'),
    definitionTokens: tokens.describe('Of its definition, once for every request that carried it.'),
    wastedTokens: tokens.nullable().describe('Of `definitionTokens`, those of the requests in `wasted`.'),
    resultTokens: tokens.nullable().describe('Of its results as shown, once for every request that carried them.'),
    inputUsd: usd
      .nullable()
      .describe(
        '`definitionTokens` and `resultTokens` at the input price of the models that were asked, as if nothing had been read from a cache; null where no price is known.',
      ),
    usd: usd.nullable().describe('Their share of what those requests cost, by tokens; null where none is priced.'),
    learnt: learntUse.exactOptional(),
  })
  .meta({ id: 'ClientTool' })

export const toolUsage = z
  .strictObject({
    requests: count.describe('The newest requests that were sent, of which all this is.'),
    whole: z.boolean().describe('False where there are older requests in that time.'),
    unread: count.describe('Of them, those whose calls are not recorded: their definitions count, their calls do not.'),
    totals: z.strictObject({
      requests: count.describe('Requests that defined tools of their clients.'),
      definedTokens: tokens.describe('Of all definitions of tools of clients in them.'),
      wastedTokens: tokens.describe(
        'Of `definedTokens`, those of tools that their conversation had not called so far.',
      ),
      leftTokens: tokens.describe('Of definitions that were left to be found, once for every request.'),
      leftRequests: count.describe('Requests that left tools to be found.'),
    }),
    tools: count.describe('How many tools there are, of which `data` has those that took most.'),
    data: z.array(clientTool),
  })
  .meta({ id: 'ToolUsageOfClients' })

export const sessionLabel = z
  .strictObject({
    session: z.string(),
    words: z.string().describe('The first words of the user; empty where they are not recorded.'),
    model: z.string().nullable(),
    client: z.string().nullable().describe('The program that asked, as its user agent begins.'),
    startedMs: atMs.nullable().describe('When its oldest request came that is kept.'),
    why: whyWhole
      .exactOptional()
      .describe('Why nothing of its newest request was shortened; absent where something was.'),
    simulated: z.boolean().describe('Whether the simulated provider answered its newest request: no money was spent.'),
  })
  .meta({ id: 'SessionLabel' })
