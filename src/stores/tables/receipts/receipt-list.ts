import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { ReceiptQuery } from './receipt.ts'

type Row = Record<string, SQLOutputValue>

/**
 * Reads a page of receipts: first which they are, from an index that holds whatever lists are filtered by, then their rows, which are long. The
 * receipts of one session are found by its own index, and those that failed by theirs.
 */
export function receiptLister(db: DatabaseSync): (tenant: string, query: ReceiptQuery) => readonly Row[] {
  const prepared = new Map<string, StatementSync>()
  return (tenant, query) => {
    const { sql, values } = statementOf(tenant, query)
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(...values)
  }
}

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

function statementOf(tenant: string, query: ReceiptQuery): Condition {
  const order = query.after === undefined ? 'DESC' : 'ASC'
  const conditions = conditionsOf(tenant, query)
  const sql = `SELECT sequence, request_id, pack_id, created_ms, head, result, sessions.name AS session, lane
    FROM receipts JOIN sessions ON sessions.id = receipts.session_id LEFT JOIN results USING (sequence)
    WHERE sequence IN (SELECT sequence FROM ${tableOf(query)} WHERE ${conditions.map((one) => one.sql).join(' AND ')}
      ORDER BY sequence ${order} LIMIT ?) ORDER BY sequence ${order}`
  return { sql, values: [...conditions.flatMap(({ values }) => values), query.limit] }
}

function tableOf({ session, requestId, failed }: ReceiptQuery): string {
  if (requestId !== undefined) return 'receipts INDEXED BY receipts_by_request'
  if (session !== undefined) return 'receipts INDEXED BY receipts_by_session'
  if (failed) return 'receipts'
  return 'receipts INDEXED BY receipts_listed'
}

function conditionsOf(tenant: string, query: ReceiptQuery): readonly Condition[] {
  const { before, after, session, requestId, sinceMs, untilMs, model, policy, failed } = query
  const when = (sql: string, value: SQLInputValue | undefined): readonly Condition[] =>
    value === undefined ? [] : [{ sql, values: [value] }]
  return [
    { sql: 'tenant = ?', values: [tenant] },
    ...(session === undefined ? [] : [ofSession(tenant, session, query.lane)]),
    ...when('request_id = ?', requestId),
    ...when('sequence < ?', before),
    ...when('sequence > ?', after),
    ...when('created_ms >= ?', sinceMs),
    ...when('created_ms < ?', untilMs),
    ...when('model = ?', model),
    ...when('policy = ?', policy),
    ...(failed ? [{ sql: 'sequence IN (SELECT sequence FROM results WHERE failed = 1)', values: [] }] : []),
  ]
}

function ofSession(tenant: string, session: string, lane: string | undefined): Condition {
  if (lane === undefined)
    return { sql: 'session_id IN (SELECT id FROM sessions WHERE tenant = ? AND name = ?)', values: [tenant, session] }
  const one = 'session_id = (SELECT id FROM sessions WHERE tenant = ? AND name = ? AND lane = ?)'
  return { sql: one, values: [tenant, session, lane] }
}
