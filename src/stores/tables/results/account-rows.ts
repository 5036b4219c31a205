import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { AccountGroup, AccountMiss, AccountQuery, SessionAccount } from './session-account.ts'
import { wholeUsd } from './whole-usd.ts'

type Row = Record<string, SQLOutputValue>

const ofSession = 'session_id IN (SELECT id FROM sessions WHERE tenant = ? AND name = ?)'

/** Adds a session's receipts up where they lie: their rows are long, and few of their members count. */
export function accountReader(db: DatabaseSync): (tenant: string, query: AccountQuery) => SessionAccount {
  const page = db.prepare(
    `SELECT count(*) AS receipts, max(sequence) AS last FROM (SELECT sequence FROM receipts INDEXED BY receipts_by_session
     WHERE ${ofSession} AND sequence > ? ORDER BY sequence LIMIT ?)`,
  )
  const rows = `FROM receipts INDEXED BY receipts_by_session JOIN sessions ON sessions.id = session_id
    LEFT JOIN results USING (sequence) WHERE ${ofSession} AND sequence > ? AND sequence <= ?`
  // Beside the one min() of a group stand the columns of the row that has it.
  const groups = db.prepare(
    `SELECT lane, head ->> '$.epoch' AS epoch, coalesce(result ->> '$.answeredBy', model) AS model, policy,
       min(sequence) AS sequence, request_id, created_ms, head -> '$.epochRecord' AS epoch_record, count(*) AS requests,
       count(${bothPrices('usd')}) AS priced, total(${bothPrices('usd')}) AS usd,
       total(${bothPrices('passThroughUsd')}) AS pass_through_usd,
       total(json_array_length(result, '$.rounds')) AS hidden_rounds
     ${rows} GROUP BY 1, 2, 3, 4 ORDER BY 5`,
  )
  const misses = db.prepare(
    `SELECT request_id, lane, created_ms, result -> '$.cacheMiss' AS miss
     ${rows} AND instr(result, '"cacheMiss"') > 0 AND miss IS NOT NULL ORDER BY sequence`,
  )
  return (tenant, { session, after = -1, limit }) => {
    const { receipts, last } = page.get(tenant, session, after, limit) ?? {}
    if (typeof last !== 'number') return { receipts: 0, groups: [], misses: [] }
    const between = [tenant, session, after, last] as const
    return {
      receipts: Number(receipts),
      last,
      groups: groups.all(...between).map(groupOf),
      misses: misses.all(...between).map(missOf),
    }
  }
}

/** One of the two sums of money, of requests that have both. */
function bothPrices(name: 'usd' | 'passThroughUsd'): string {
  const other = name === 'usd' ? 'passThroughUsd' : 'usd'
  return `iif(result ->> '$.cost.${other}' IS NULL, NULL, result ->> '$.cost.${name}')`
}

function groupOf(row: Row): AccountGroup {
  const { epoch, model, epoch_record: record } = row
  return {
    lane: String(row['lane']),
    ...(epoch !== null && { epoch: Number(epoch) }),
    ...(model !== null && { model: String(model) }),
    policyId: String(row['policy']),
    requests: Number(row['requests']),
    priced: Number(row['priced']),
    usd: wholeUsd(Number(row['usd'])),
    passThroughUsd: wholeUsd(Number(row['pass_through_usd'])),
    hiddenRounds: Number(row['hidden_rounds']),
    first: {
      sequence: Number(row['sequence']),
      requestId: String(row['request_id']),
      createdMs: Number(row['created_ms']),
      ...(typeof record === 'string' && { epochRecord: JSON.parse(record) }),
    },
  }
}

function missOf(row: Row): AccountMiss {
  return {
    requestId: String(row['request_id']),
    lane: String(row['lane']),
    createdMs: Number(row['created_ms']),
    miss: JSON.parse(String(row['miss'])),
  }
}
