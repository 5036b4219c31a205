import { z } from 'zod'
import { statisticsDimensions } from '../../../stores/index.ts'
import { atMs, count, money, moneyIfOn, ms, since, tokens, until, usd } from './parts.ts'

export const figures = z
  .strictObject({
    requests: count.describe('That have ended, however.'),
    errors: count.describe('Requests without a complete answer. A client that disconnects is not an error.'),
    priced: count.describe('Those that the dollars hold; of the others usage or prices are not known.'),
    reported: count.describe('Those of which the provider told how many tokens they took.'),
    inputTokens: tokens.describe('Of all rounds, those read from the cache and written to it included.'),
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    passThroughTokens: z.number().describe('Input tokens had everything been sent: an estimate.'),
    usd: usd.describe('Spent: all rounds, input and output, our own tool and refreshes of caches included.'),
    passThroughUsd: money.passThroughUsd,
    clientUsd: money.clientUsd,
    savedUsd: usd.describe(
      '`clientUsd` less `usd`, the sum of the two below; less than nothing where the client’s own requests would have cost less.',
    ),
    savedByMarksUsd: usd.describe(
      'By cache marks: `clientUsd` less `passThroughUsd`, an estimate for the client’s unshortened requests.',
    ),
    savedByPackingUsd: usd.describe('By packing: `passThroughUsd` less `usd`.'),
    savedShare: z
      .number()
      .nullable()
      .describe('Of `clientUsd` less `observedUsd`; null where nothing is priced, or all was observed.'),
    ...moneyIfOn,
    wouldSaveUsd: usd.describe('`observedUsd` less `ifOnUsd`, the sum of the two below: an estimate.'),
    wouldSaveByMarksUsd: usd,
    wouldSaveByPackingUsd: usd,
    wouldSaveShare: z.number().nullable().describe('Of `observedUsd`; null where nothing was observed.'),
    cachedShare: z.number().nullable().describe('Of the input tokens that were reported; null where none were.'),
    hiddenRounds: count,
    rehydrations: count,
    refreshes: count.describe('Prompts of silent sessions that were read again so that they stay in their cache.'),
    refreshUsd: usd.describe('What of `usd` that came to.'),
    missedTokens: tokens.describe('Sent before and read anew.'),
    missedUsd: usd,
    skipped: z.record(z.string(), count).describe('Stages that failed and were left out.'),
    overheadMs: z
      .strictObject({ p50: ms.nullable(), p95: ms.nullable(), p99: ms.nullable() })
      .describe('Our own work before requests went upstream, each to a fifth above; null where there were none.'),
  })
  .meta({ id: 'Figures' })

/** Since the tenant's first request, whatever span of time is asked for. */
const account = z
  .strictObject({
    passThrough: tokens.describe('What sending everything would have cost.'),
    saved: tokens.describe('What sessions saved that are in credit.'),
    lent: tokens.describe('What sessions owe that are in debt, or ended so.'),
    fetched: tokens.describe('What the rounds cost in which tools of ours were answered.'),
    credit: z
      .number()
      .describe('`saved` less `lent` and `fetched`. No session borrows more; none borrows where it is 0 or less.'),
    share: z.number().nullable().describe('What was paid, of `passThrough`; null where nothing was packed.'),
    models: z
      .array(
        z.strictObject({
          model: z.string(),
          sessions: count.describe('Conversations that went beyond their first request. The newest count most.'),
          requests: count.describe('Of these.'),
        }),
      )
      .describe('From which it is learnt how long sessions become.'),
  })
  .meta({ id: 'TenantAccount' })

const dimensions = [...statisticsDimensions, 'time', 'tenant'] as const

export const statisticsQuery = z.strictObject({
  since,
  until,
  by: z
    .string()
    .transform((text, context) => {
      const names = text.split(',').filter((part) => part !== '')
      const known = dimensions.filter((each) => names.includes(each))
      if (known.length === new Set(names).size) return known
      context.addIssue(`is not made of ${dimensions.join(', ')}`)
      return z.NEVER
    })
    .optional()
    .describe(
      `Grouped by any of ${dimensions.join(', ')}, with commas between; hours and days are UTC's. \`time\` is hours where all is of one day, and days elsewhere. Grouped by tenant, an operator (\`operators\` of the configuration) gets all configured tenants, others only themselves. Grouped by team, key or user, requests without a key or token are left out, and so is what came before a store counted by them.`,
    ),
  model: z.string().optional().describe('Only those that this model was asked for.'),
  policy: z.string().optional().describe('Only those packed by this policy.'),
})

export const statistics = z
  .strictObject({
    object: z.literal('statistics'),
    tenant: z.string(),
    rules: z.string().describe('How savings are reckoned.'),
    totals: figures,
    account: account.describe(
      'What packed requests saved and lent, in input-token prices: estimates of the compiler, by its own counts of tokens.',
    ),
    data: z.array(
      z.strictObject({
        startMs: atMs.exactOptional(),
        tenant: z.string().exactOptional(),
        model: z.string().exactOptional(),
        policy: z.string().exactOptional(),
        team: z.string().exactOptional().describe('Empty where the key names no team.'),
        key: z.string().exactOptional().describe('The id of a key, or the name of a token.'),
        user: z.string().exactOptional().describe('Empty where the key names no user.'),
        figures,
      }),
    ),
  })
  .meta({ id: 'Statistics' })
