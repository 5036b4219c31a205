import { z } from 'zod'
import { receiptModes } from '../../../stores/index.ts'
import { epochRecord } from './manifest.ts'
import { atMs, count, money, moneyIfOn, tokens, usd } from './parts.ts'
import { receiptResult } from './receipts.ts'

const cost = z
  .strictObject({
    requests: count,
    priced: count,
    inputTokens: tokens,
    passThroughTokens: z.number(),
    ...money,
    ...moneyIfOn,
  })
  .describe('What its exchanges came to, those too whose receipts are gone. Saved: `clientUsd` less `usd`.')
  .meta({ id: 'SessionCost' })

export const sessionSummary = z.strictObject({ session: z.string(), usedMs: atMs, cost }).meta({ id: 'SessionSummary' })

const account = {
  requests: count,
  usd,
  passThroughUsd: money.passThroughUsd,
  savedUsd: usd.describe('By packing: `passThroughUsd` less `usd`.'),
}

const epoch = z
  .strictObject({
    lane: z.string(),
    epoch: count,
    cause: z.string().describe('Why it began; `unknown` where the receipt that said so is gone.'),
    startMs: atMs,
    firstRequestId: z.string(),
    rewriteCost: z.number().nullable().describe('What beginning it was reckoned to cost, in plain input tokens.'),
    ...account,
    paidBack: z
      .boolean()
      .nullable()
      .describe(
        'Whether its requests cost less than sending everything would have; null where nothing is priced, and where it is not known what was rewritten.',
      ),
  })
  .meta({ id: 'SessionEpoch' })

const miss = z.strictObject({
  requestId: z.string(),
  lane: z.string(),
  atMs,
  cause: z.string(),
  by: z.enum(['client', 'gateway']).nullable(),
  tokens: z.number(),
  usd: usd.nullable(),
})

export const sessionDetail = z
  .strictObject({
    session: z.string(),
    usedMs: atMs,
    cost,
    parentId: z.string().nullable().describe('The session that it was handed over from, or that its client has named.'),
    children: z.array(z.string()).describe('Sessions that it was handed over to, or that name it as their parent.'),
    tree: z
      .strictObject({ sessions: count, cost, whole: z.boolean().describe('False beyond 1000 sessions.') })
      .exactOptional()
      .describe('With `tree=true`: the session and all below it.'),
    lanes: z.array(z.strictObject({ lane: z.string(), requests: count, fork: z.boolean() })),
    models: z.array(z.string()),
    policies: z.array(z.string()),
    receipts: count.describe('Those that are still kept; what follows is of these.'),
    epochs: z.array(epoch),
    cacheMisses: z.array(miss).describe('Every break of the cache and why; the first 1000.'),
    hiddenRounds: count,
    whole: z
      .boolean()
      .describe('False where the session has more than 200,000 receipts: what follows is of the first ones.'),
  })
  .meta({ id: 'SessionDetail' })

export const timelineEntry = z
  .strictObject({
    requestId: z.string(),
    sequence: count,
    createdMs: atMs,
    lane: z.string(),
    model: z.string().nullable(),
    policyId: z.string(),
    mode: z.enum(receiptModes),
    originalTokens: tokens,
    packTokens: tokens,
    sectionTokens: z.record(z.string(), z.number()),
    cachedTokens: tokens.nullable().describe('Tokens read from the cache, as reported; null if not reported.'),
    uncachedTokens: tokens.nullable(),
    writtenTokens: tokens.nullable().describe('Of the uncached: written to the cache.'),
    outputTokens: tokens.nullable(),
    hiddenRounds: count,
    epoch: epochRecord.nullable(),
    cacheMiss: receiptResult.shape.cacheMiss,
    usd: usd.nullable(),
    passThroughUsd: money.passThroughUsd.nullable(),
    clientUsd: money.clientUsd.nullable(),
    ifOnUsd: usd.nullable().describe('In mode `observe`: what mode `on` would have cost, an estimate.'),
    soFar: z
      .strictObject({ priced: count, ...money, savedUsd: usd.describe('`clientUsd` less `usd`.') })
      .describe('Of all up to this one whose receipts are kept.'),
    status: z.number().int().nullable().describe('Null while it runs, and where its end was never told.'),
    failure: z.string().nullable(),
    skipped: z.array(z.string()),
    overheadMs: z.number().nullable(),
    upstreamMs: z.number().nullable(),
  })
  .meta({ id: 'TimelineEntry' })
