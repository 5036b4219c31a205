import type { DatabaseSync } from 'node:sqlite'
import type { Policy } from '../../../core/index.ts'

/** Policies, of which there are few and which never change: stored once for all receipts, for good. */
export interface PolicyRows {
  put(key: string, json: string): void
  get(key: string): Policy
  /** To be called when a transaction was taken back. */
  forget(): void
}

export function policyRows(db: DatabaseSync): PolicyRows {
  const insert = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')
  const known = new Set<string>()

  return {
    put(key, json) {
      if (known.has(key)) return
      insert.run(`policy/${key}`, json)
      known.add(key)
    },
    get(key) {
      const value = select.get(`policy/${key}`)?.['value']
      if (typeof value !== 'string') throw new Error('a receipt refers to a policy that is not there')
      return JSON.parse(value) as Policy
    },
    forget: () => known.clear(),
  }
}
