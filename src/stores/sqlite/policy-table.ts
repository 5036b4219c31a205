import type { DatabaseSync } from 'node:sqlite'
import type { Policy } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'

/** Policies, of which there are few and which never change: kept once for all, for good. */
export interface PolicyTable {
  put(policy: Policy): string
  get(key: string): Policy
  forget(): void
}

export function policyTable(db: DatabaseSync): PolicyTable {
  const insert = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const select = db.prepare('SELECT value FROM settings WHERE name = ?')
  let known = new WeakMap<Policy, string>()

  return {
    put(policy) {
      const before = known.get(policy)
      if (before !== undefined) return before
      const json = JSON.stringify(policy)
      const key = sha256(json, 'base64url')
      insert.run(`policy/${key}`, json)
      known.set(policy, key)
      return key
    },
    get(key) {
      const value = select.get(`policy/${key}`)?.['value']
      if (typeof value !== 'string') throw new Error('a receipt refers to a policy that is not there')
      return JSON.parse(value) as Policy
    },
    forget: () => void (known = new WeakMap()),
  }
}
