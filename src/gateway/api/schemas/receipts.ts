import { z } from 'zod'
import { dialectName } from '../../dialect-name.ts'
import { lossKinds, mediaTypes, modelPreferences, modelTiers, riskLevels, wholeReasons } from '../../../core/index.ts'
import { layerOutcomes, receiptModes, whyNoAnswers } from '../../../stores/index.ts'
import { recordedOutcome } from './outcomes.ts'
import { epochRecord, manifest, outcomeKind, reason, rung } from './manifest.ts'
import { atMs, count, money, ms, tokens, usd } from './parts.ts'
import { compileInput, recordedRequest } from './recorded.ts'

const usage = z
  .strictObject({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens.exactOptional(),
    cacheWriteTokens: tokens.exactOptional(),
    cacheWriteLongTokens: tokens.exactOptional(),
    reasoningTokens: tokens.exactOptional(),
  })
  .describe('As the provider reported it, of all rounds; what is absent was not reported.')
  .meta({ id: 'Usage' })

const exchangeCost = z
  .strictObject({
    inputTokens: tokens,
    passThroughTokens: z.number().describe('Had everything been sent: an estimate.'),
    usd: usd.exactOptional(),
    keptUsd: usd.exactOptional(),
    passThroughUsd: money.passThroughUsd.exactOptional(),
    clientUsd: money.clientUsd.exactOptional(),
    ifOn: z
      .strictObject({ usd, passThroughUsd: money.passThroughUsd })
      .exactOptional()
      .describe('In mode `observe`: what mode `on` would have cost, by a simulated cache.'),
  })
  .meta({ id: 'ExchangeCost' })

const cacheMiss = z
  .strictObject({
    cause: z.enum(['expired', 'other-model', 'changed', 'too-short', 'evicted']),
    changed: z
      .strictObject({
        by: z.enum(['client', 'gateway']),
        part: z.enum(['tools', 'system', 'messages']),
        itemId: z.string().exactOptional(),
      })
      .exactOptional(),
    tokens: z.number(),
    usd: usd.exactOptional(),
  })
  .describe('Why a provider read less from its cache than the request before had sent.')
  .meta({ id: 'CacheMiss' })

const loss = z.strictObject({ kind: z.enum(lossKinds), what: z.string(), why: z.string() })
const dialect = dialectName

const routed = z.strictObject({
  name: z.string(),
  preference: z.enum(modelPreferences),
  why: z.string(),
  tier: z.enum(modelTiers),
  model: z.string().exactOptional(),
  passed: z
    .array(z.strictObject({ tier: z.enum(modelTiers), model: z.string().exactOptional(), because: z.string() }))
    .exactOptional(),
})

export const leftOut = z
  .strictObject({
    itemId: z.string(),
    rung,
    reason,
    requestId: z.string().exactOptional().describe('The request whose receipt has the decision.'),
  })
  .describe('The decision by which something was first left out.')
  .meta({ id: 'LeftOut' })

export const mediaContent = z.strictObject({ type: z.enum(mediaTypes), url: z.string() }).meta({
  id: 'MediaContent',
  description: 'A picture, a recording or a file: its URL, or its bytes as a `data:` URL.',
})

export const fetched = z.strictObject({ handle: z.string(), leftOut: leftOut.exactOptional() }).meta({ id: 'Fetched' })

const providerAnswer = z
  .strictObject({
    status: z.number().int(),
    type: z.string().exactOptional().describe("The provider's name of the error."),
    message: z.string().nullable().describe('Its first 2,000 characters.'),
    whyNot: z
      .enum(whyNoAnswers)
      .exactOptional()
      .describe('Why the message is null: content is not recorded, it is encoded or too long, or there is none.'),
  })
  .describe('With what a provider has refused the request, or ended its stream.')
  .meta({ id: 'ProviderAnswer' })

const layerResult = z
  .strictObject({
    name: z.string(),
    ms: z.number().describe('What it took by itself.'),
    outcome: z
      .enum(layerOutcomes)
      .exactOptional()
      .describe(
        '`skipped`: it failed, and the request went on without it. `failed`: it failed, and nothing was sent without it. `refused`: it ended the request with an error.',
      ),
    facts: z.record(z.string(), z.unknown()).exactOptional().describe('What it has noted of the request.'),
  })
  .meta({ id: 'LayerResult' })

export const receiptResult = z
  .strictObject({
    status: z.number().int().describe('0 where nothing was sent as the receipt says.'),
    usage: usage.exactOptional(),
    answeredBy: z.string().exactOptional(),
    routed: routed.exactOptional(),
    cost: exchangeCost.exactOptional(),
    rehydrations: count,
    fetched: z.array(fetched).exactOptional().describe('What tools of ours have brought back.'),
    rounds: z
      .array(z.strictObject({ hash: z.string(), messages: z.array(z.string()).exactOptional() }))
      .exactOptional()
      .describe('Hidden rounds that followed the request.'),
    hiddenLost: count.exactOptional(),
    markersWritten: count.exactOptional(),
    callsWithheld: count.exactOptional(),
    upstreamMs: ms,
    overheadMs: ms,
    layers: z.array(layerResult).exactOptional().describe('What each layer did, innermost first.'),
    skipped: z.array(z.string()).exactOptional(),
    unreadField: z.string().exactOptional().describe('The field for which the request could not be read.'),
    cacheMiss: cacheMiss.exactOptional(),
    keptWarm: z.strictObject({ refreshes: count, usd: usd.exactOptional() }).exactOptional(),
    simulated: z
      .literal(true)
      .exactOptional()
      .describe('The simulated provider answered: no money was spent. Absent where a provider was asked.'),
    crossed: z.strictObject({ dialect, hash: z.string(), lost: z.array(loss) }).exactOptional(),
    missedLimits: z
      .array(
        z.strictObject({ limit: z.enum(['latencyMs', 'costUsd', 'tokens']), most: z.number(), actual: z.number() }),
      )
      .exactOptional(),
    asker: z
      .strictObject({ key: z.string(), team: z.string().exactOptional(), user: z.string().exactOptional() })
      .exactOptional()
      .describe('The key or token that it was sent with, by its id or name, and the team and user of it.'),
    failure: z.string().exactOptional().describe('Code of the error that cut the reply short.'),
    answer: providerAnswer.exactOptional(),
  })
  .describe('How the exchange ended.')
  .meta({ id: 'ReceiptResult' })

export const whyWhole = z
  .strictObject({ reason: z.enum(wholeReasons), untilMs: atMs.optional() })
  .describe('Why nothing was shortened; absent where something was. `untilMs`: when a warm cache expires.')

const step = z.strictObject({
  taskId: z.string().optional(),
  stepId: z.string().optional(),
  limits: z
    .strictObject({
      tokens: z.number().exactOptional(),
      costUsd: z.number().exactOptional(),
      latencyMs: z.number().exactOptional(),
      risk: z.enum(riskLevels).exactOptional(),
    })
    .optional(),
  tools: z
    .strictObject({ scopes: z.array(z.string()).exactOptional(), only: z.array(z.string()).exactOptional() })
    .optional()
    .describe('What calls of tools that the gateway runs may use.'),
})

const leftTools = z
  .strictObject({
    tools: count.describe('Tools that the client sent.'),
    left: count.describe('Of them, those that the model has to find.'),
    leftTokens: tokens.describe('What the definitions of these would take.'),
    isDeferred: z.boolean().describe('Whether the provider keeps their definitions aside.'),
    ofRegistry: count.exactOptional().describe('Tools of the registry that could be found beside them.'),
  })
  .describe('Tools that the request left to be found; absent where it left none.')

const wastedTools = z
  .strictObject({
    defined: count.describe('Tools of the client that the request defines.'),
    definedTokens: tokens.describe('What their definitions take.'),
    wasted: count.describe('Of them, those that the conversation has not called so far.'),
    wastedTokens: tokens.describe('What the definitions of these take.'),
  })
  .describe('Tools of the client that the request defines; absent where it defines none.')

const head = {
  requestId: z.string(),
  packId: z.string().describe('Hash of the bytes that were sent.'),
  session: z.string(),
  createdMs: atMs,
  dialect: dialectName.describe('That of the request, or `compile`.'),
  mode: z.enum(receiptModes),
  model: z.string().exactOptional(),
  client: z.string().exactOptional().describe('The program that asked, as its user agent begins.'),
  step: step.exactOptional(),
  parentSession: z
    .string()
    .exactOptional()
    .describe('The session that its own was handed over from, or that its client has named.'),
  leftTools: leftTools.exactOptional(),
  wastedTools: wastedTools.exactOptional(),
  why: whyWhole.exactOptional(),
}

export const receiptSummary = z
  .strictObject({
    ...head,
    sequence: count.describe('Grows with every receipt.'),
    lane: z.string().describe('Which of the conversations under its session.'),
    policyId: z.string(),
    outcome: outcomeKind,
    epoch: count.exactOptional(),
    epochRecord: epochRecord.exactOptional(),
    sectionTokens: z.record(z.string(), z.number()).exactOptional(),
    originalTokens: tokens,
    packTokens: tokens,
    result: receiptResult.exactOptional(),
  })
  .meta({ id: 'ReceiptSummary' })

export const receipt = z
  .strictObject({
    ...head,
    origins: z
      .array(
        z.strictObject({
          itemId: z.string(),
          uri: z.string().exactOptional(),
          retrievedAt: z.string().exactOptional(),
        }),
      )
      .exactOptional(),
    manifest,
    input: compileInput.exactOptional(),
    request: recordedRequest.exactOptional(),
    result: receiptResult.exactOptional(),
    outcomes: z
      .array(recordedOutcome)
      .exactOptional()
      .describe('How good the request turned out, and its whole session; of each the most trustworthy source first.'),
  })
  .meta({ id: 'Receipt' })

const nextTo = z.strictObject({ requestId: z.string(), createdMs: atMs }).nullable()

export const packSummary = z
  .strictObject({
    ...head,
    manifest: manifest
      .omit({ decisions: true, truncations: true })
      .describe('As in the receipt, but for decisions, which have a route of their own.')
      .meta({ id: 'ManifestSummary' }),
    sentAs: z
      .enum(['packed', 'unchanged', 'refused', 'nothing'])
      .describe(
        "What reached the provider: the pack, the client's own bytes, or nothing: the gateway refused the request, or a layer answered it.",
      ),
    shortage: z
      .strictObject({ neededTokens: tokens, availableTokens: tokens, why: z.string() })
      .nullable()
      .describe('Why there is no pack; null where there is one.'),
    decisions: count.describe('How many there are.'),
    result: receiptResult.exactOptional(),
    before: nextTo.describe('The request before it in the same conversation; null where none is kept.'),
    after: nextTo.describe('The one behind it.'),
  })
  .meta({ id: 'PackSummary' })
