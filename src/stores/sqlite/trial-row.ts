import type { DatabaseSync } from 'node:sqlite'

const usualChars = 16_384
const mostChars = 16_000_000

/**
 * Writes a row and removes it, to see whether anything can be written: more than a page, so that a database that cannot grow
 * fails. The transaction is the caller's.
 */
export interface TrialRow {
  put(chars: number): void
  remove(): void
}

export function trialRow(db: DatabaseSync): TrialRow {
  const put = db.prepare(
    "INSERT INTO settings (name, value) VALUES ('trial', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  )
  const drop = db.prepare("DELETE FROM settings WHERE name = 'trial'")
  return {
    put: (chars) => void put.run('.'.repeat(Math.min(Math.max(chars, usualChars), mostChars))),
    remove: () => void drop.run(),
  }
}
