import type { Relation } from '../../kernel/portable.ts'

/** Policies that recorded inputs name, each once. */
export const policiesRelation: Relation = {
  name: 'policies',
  columns: ['key', 'policy'],
  key: ['key'],
  of: 'policy',
  ifAbsent: true,
  sqlite: {
    table: 'settings',
    from: `(SELECT substr(name, 8) AS key, value AS policy FROM settings WHERE name LIKE 'policy/%')`,
    put: `INSERT INTO settings (name, value) VALUES ('policy/' || ?, ?) ON CONFLICT DO NOTHING`,
  },
}

const columns = [
  'sequence',
  'tenant',
  'session_id',
  'created_ms',
  'request_id',
  'pack_id',
  'head',
  'model',
  'policy',
  'manifest',
  'input',
  'request',
] as const

export const receiptsRelation: Relation = {
  name: 'receipts',
  columns,
  key: ['sequence'],
  of: 'tenant',
  postgres: {
    put: `INSERT INTO receipts (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
      VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
  },
}
