import type { Relation } from '../kernel/portable.ts'

/** What the engines themselves keep. The numbers of lanes stand in `session_id`. */
export const lanesRelation: Relation = {
  name: 'lanes',
  columns: ['session_id', 'tenant', 'name', 'lane', 'version', 'used_ms'],
  key: ['session_id'],
  of: 'tenant',
  sqlite: {
    table: 'sessions',
    from: '(SELECT id AS session_id, tenant, name, lane, version, used_ms FROM sessions)',
    put: 'INSERT INTO sessions (id, tenant, name, lane, version, used_ms) VALUES (?, ?, ?, ?, ?, ?)',
  },
  postgres: {
    table: 'sessions',
    from: '(SELECT id AS session_id, tenant, name, lane, version, used_ms FROM sessions)',
    put: `INSERT INTO sessions (id, tenant, name, lane, version, used_ms) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)`,
  },
}

/** Texts under their hashes, which the engines write differently. */
export const textsRelation: Relation = { name: 'texts', columns: ['hash', 'text'], key: ['hash'], of: 'session' }

export const fragmentsRelation: Relation = {
  name: 'fragments',
  columns: ['session_id', 'kind', 'number', 'elements'],
  key: ['session_id', 'kind', 'number'],
  of: 'session',
  textsOf: ([, , , elements]) => hashesIn(String(elements)),
}

/** Inside a JSON string the quotes would be escaped: what is found is a member. */
function hashesIn(elements: string): readonly string[] {
  return [...elements.matchAll(/"textHash":"([^"]+)"/g)].map(([, hash = '']) => hash)
}

export const kernelRelations: readonly Relation[] = [lanesRelation, textsRelation, fragmentsRelation]
