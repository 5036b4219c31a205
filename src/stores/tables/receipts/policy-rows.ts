import type { DatabaseSync } from 'node:sqlite'
import type { Policy } from '../../../core/index.ts'

/** Policies, of which there are few and which never change: stored once for all receipts. */
export interface PolicyRows {
  put(key: string, json: string): void
  get(key: string): Policy
}

export function policyRows(db: DatabaseSync): PolicyRows {
  const insert = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')

  return {
    // Written each time: with a tenant goes what only its receipts name, whichever process deletes it.
    put: (key, json) => void insert.run(`policy/${key}`, json),
    get(key) {
      const value = select.get(`policy/${key}`)?.['value']
      if (typeof value !== 'string') throw new Error('a receipt refers to a policy that is not there')
      return JSON.parse(value) as Policy
    },
  }
}
