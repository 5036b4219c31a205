import type { Statements } from './connection.ts'

/** Every transaction that writes holds it together with others; one that removes sessions holds it alone. */
const sessionsLock = 'sessions'

const keyOf = (name: string): string => `hashtextextended(current_schema() || ' ' || ${name}, 0)`

/** Takes locks until the transaction ends, in the order of their keys, so that two transactions never wait for each other. */
export function lockForUnits({ ask }: Statements, names: readonly string[]): void {
  void ask(`SELECT pg_advisory_xact_lock_shared(${keyOf('$1::text')})`, [sessionsLock])
  if (names.length === 0) return
  void ask(
    `SELECT pg_advisory_xact_lock(key) FROM
       (SELECT DISTINCT ${keyOf('name')} AS key FROM unnest($1::text[]) AS name ORDER BY key) AS keys`,
    [names],
  )
}

export function lockForPruning({ ask }: Statements): void {
  void ask(`SELECT pg_advisory_xact_lock(${keyOf('$1::text')})`, [sessionsLock])
}
