import type { PostgresReader, PostgresRow, PostgresValue } from '../../kernel/table.ts'
import type { ReceiptQuery } from './receipt.ts'

/** Reads a page of receipts. */
export function postgresReceiptList(
  on: PostgresReader,
  tenant: string,
  query: ReceiptQuery,
): Promise<readonly PostgresRow[]> {
  const values: PostgresValue[] = []
  const given = (value: PostgresValue): string => `$${values.push(value)}`
  const conditions = conditionsOf(tenant, query, given)
  const order = query.after === undefined ? 'DESC' : 'ASC'
  const sql = `SELECT sequence, request_id, pack_id, created_ms, head, result, sessions.name AS session, lane
    FROM receipts JOIN sessions ON sessions.id = receipts.session_id LEFT JOIN results USING (sequence)
    WHERE ${conditions.join(' AND ')} ORDER BY sequence ${order} LIMIT ${given(query.limit)}`
  return on.all(sql, ...values)
}

function conditionsOf(tenant: string, query: ReceiptQuery, given: (value: PostgresValue) => string): readonly string[] {
  const { before, after, session, lane, requestId, sinceMs, untilMs, model, policy, failed } = query
  const when = (left: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [`${left} ${given(value)}`]
  return [
    ...when('receipts.tenant =', tenant),
    ...when('sessions.name =', session),
    ...(session === undefined ? [] : [`sessions.tenant = ${given(tenant)}`, ...when('lane =', lane)]),
    ...when('request_id =', requestId),
    ...when('sequence <', before),
    ...when('sequence >', after),
    ...when('created_ms >=', sinceMs),
    ...when('created_ms <', untilMs),
    ...when('model =', model),
    ...when('policy =', policy),
    ...(failed ? ['failed'] : []),
  ]
}
