import { z } from 'zod'
import { dollarsOf } from '../../../stores/index.ts'
import type { ReceiptSummary, Store } from '../../../stores/index.ts'
import { cursorOf, placeOf } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { timelineQuery } from '../routes/session-routes.ts'
import type { timelineEntry } from '../schemas/sessions.ts'
import { notFound } from './not-found.ts'
import { rounded } from './statistics.ts'

type Entry = Answered<z.output<typeof timelineEntry>>

/** Sums go on from page to page. */
const place = z.strictObject({
  after: z.number(),
  priced: z.number(),
  usd: z.number(),
  all: z.number(),
  client: z.number(),
})
type Place = z.output<typeof place>

const start: Place = { after: -1, priced: 0, usd: 0, all: 0, client: 0 }

/** The requests of a session in their order, with what they have come to so far. */
export async function answerTimeline(store: Store, { tenant, params, query }: Asked<typeof timelineQuery>) {
  const session = params['session'] ?? ''
  const { limit, cursor, lane } = query
  let so = placeOf(place, cursor) ?? { ...start, after: query.after ?? start.after }
  const rows = await store.read('receipts').list(tenant, {
    session,
    after: so.after,
    limit: limit + 1,
    ...(lane !== undefined && { lane }),
  })
  if (
    rows.length === 0 &&
    cursor === undefined &&
    (await store.read('results').sessions(tenant, { limit: 1, session })).length === 0
  )
    throw notFound('session', 'List them with GET /v1/sessions.')
  const data = rows.slice(0, limit).map((row) => {
    so = withRow(so, row)
    return entryOf(row, so)
  })
  return { object: 'list' as const, data, next: rows.length > limit ? cursorOf(so) : null }
}

function withRow({ priced, usd, all, client }: Place, { sequence, result }: ReceiptSummary): Place {
  const dollars = dollarsOf(result?.cost)
  return {
    after: sequence,
    priced: priced + (dollars ? 1 : 0),
    usd: rounded(usd + (dollars?.usd ?? 0)),
    all: rounded(all + (dollars?.passThroughUsd ?? 0)),
    client: rounded(client + (dollars?.clientUsd ?? 0)),
  }
}

function entryOf(receipt: ReceiptSummary, { priced, usd, all, client }: Place): Entry {
  const { requestId, sequence, createdMs, lane, policyId, mode, originalTokens, packTokens, result } = receipt
  const { usage, cost, cacheMiss } = result ?? {}
  const cached = usage?.cacheReadTokens
  return {
    requestId,
    sequence,
    createdMs,
    lane,
    model: result?.answeredBy ?? receipt.model ?? null,
    policyId,
    mode,
    originalTokens,
    packTokens,
    sectionTokens: receipt.sectionTokens ?? {},
    cachedTokens: cached ?? null,
    uncachedTokens: usage && cached !== undefined ? usage.inputTokens - cached : null,
    writtenTokens: usage?.cacheWriteTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    hiddenRounds: result?.rounds?.length ?? 0,
    epoch: receipt.epochRecord ?? null,
    ...(cacheMiss && { cacheMiss }),
    usd: cost?.usd ?? null,
    passThroughUsd: cost?.passThroughUsd ?? null,
    clientUsd: dollarsOf(cost)?.clientUsd ?? null,
    ifOnUsd: cost?.ifOn?.usd ?? null,
    soFar: { priced, usd, passThroughUsd: all, clientUsd: client, savedUsd: rounded(client - usd) },
    status: result?.status ?? null,
    failure: result?.failure ?? null,
    skipped: result?.skipped ?? [],
    overheadMs: result?.overheadMs ?? null,
    upstreamMs: result?.upstreamMs ?? null,
  }
}
