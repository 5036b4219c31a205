import { z } from 'zod'
import { readPolicy } from '../../../compiler/index.ts'
import { invalidInput } from '../../../core/index.ts'
import type { Policy } from '../../../core/index.ts'
import type { ServingParts } from '../../parts.ts'
import type { Replay } from '../../replays/replay-desk.ts'
import type { ReplayedFigures } from '../../replays/replay-messages.ts'
import { pageOf, placeOf } from '../cursor.ts'
import type { Asked } from '../route.ts'
import type { replayedQuery, startReplay } from '../routes/replay-routes.ts'
import { notFound } from './not-found.ts'

type Parts = Pick<ServingParts, 'replays' | 'policies'>

export function answerStart(
  { replays, policies: known }: Parts,
  { tenant, body }: Asked<z.ZodObject, NonNullable<(typeof startReplay)['body']>>,
) {
  const { sessions, trace, policies, model, windowTokens } = body
  if (sessions.length === 0 && trace === undefined)
    throw invalidInput('body.sessions', 'is empty, and there is no trace', 'Name a session or give a trace.')
  const read = policies.map((policy, index): Policy => {
    const at = `body.policies[${index}]`
    return typeof policy === 'string'
      ? known.named({ id: policy, field: at, tenant })
      : readPolicy(policy, { at, known: known.of(tenant) })
  })
  return headOf(replays.start(tenant, { sessions, trace, policies: read, model, windowTokens }))
}

export function answerReplays({ replays }: Parts, { tenant }: Asked) {
  return { object: 'list' as const, data: replays.all(tenant).map(headOf), next: null }
}

export function answerReplay(parts: Parts, asked: Asked) {
  const replay = replayNamed(parts, asked)
  return {
    ...headOf(replay),
    totals: replay.totals.map((one) => ({
      name: one.name,
      tokens: one.tokens,
      cost: one.cost,
      costRatio: one.costRatio,
      billDollars: one.billDollars,
      billRatio: one.billRatio,
      dollars: one.dollars,
      cachedShare: one.cachedShare,
      breaks: one.breaks,
      settledCostRatio: one.settledCostRatio,
      worstTraceCostRatio: one.worstTraceCostRatio,
      needleRecall: one.needleRecall,
      editTextRecall: one.editTextRecall,
      failuresHidden: one.failuresHidden,
      unpacked: one.unpacked,
    })),
    sessions: replay.sessions.map(({ session, lane, provider, requestIds, passThrough, policies }) => ({
      session,
      lane,
      provider,
      requests: requestIds.length,
      passThrough: withoutBills(passThrough),
      policies: policies.map(withoutBills),
    })),
  }
}

const place = z.strictObject({ at: z.number().int().min(0) })

export function answerReplayed(parts: Parts, asked: Asked<typeof replayedQuery>) {
  const { session, lane, limit, cursor } = asked.query
  const found = replayNamed(parts, asked).sessions.find(
    (one) => one.session === session && (lane ?? one.lane) === one.lane,
  )
  if (!found) throw notFound('session in this replay', 'GET /v1/replays/{id} has those that are done.')
  const from = placeOf(place, cursor)?.at ?? 0
  const rows = found.requestIds.flatMap((requestId, index) => {
    const passThrough = found.passThrough.bills[index]
    const policies = found.policies.flatMap(({ bills }) => bills[index] ?? [])
    return passThrough ? [{ requestId, passThrough, policies, at: index + 1 }] : []
  })
  const { data, next } = pageOf(rows.slice(from, from + limit + 1), limit, ({ at }) => ({ at }))
  return { object: 'list' as const, data: data.map(({ at: _at, ...row }) => row), next }
}

export function answerCancel({ replays }: Parts, { tenant, params }: Asked) {
  const replay = replays.cancel(tenant, params['id'] ?? '')
  if (!replay) throw noReplay()
  return headOf(replay)
}

function replayNamed({ replays }: Parts, { tenant, params }: Pick<Asked, 'tenant' | 'params'>): Replay {
  const replay = replays.one(tenant, params['id'] ?? '')
  if (!replay) throw noReplay()
  return replay
}

function noReplay() {
  return notFound('replay', 'List them with GET /v1/replays; they are gone when the process ends.')
}

function headOf({ totals: _totals, sessions: _sessions, compared: _compared, ...head }: Replay) {
  return head
}

function withoutBills({ bills: _bills, ...figures }: ReplayedFigures) {
  return figures
}
