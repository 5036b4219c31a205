import type { DatabaseSync } from 'node:sqlite'
import type { TableSet } from '../rows/table-set.ts'
import { countReceipts } from '../tables/results/rollup-rows.ts'

/**
 * One entry a schema version, in order; an entry never changes once released.
 * Lists that grow from request to request (items, ledger entries, decisions) are kept once per session, what each request
 * adds in one row, and whatever refers to them holds ranges of element numbers: a session of n requests costs O(n), not
 * O(n²).
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    lane TEXT NOT NULL,
    version INTEGER NOT NULL,
    used_ms INTEGER NOT NULL,
    tool_offered INTEGER NOT NULL,
    ledger TEXT,
    UNIQUE (tenant, name, lane)
  );
  CREATE INDEX sessions_by_use ON sessions (used_ms);

  CREATE TABLE fragments (
    session_id INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    number INTEGER NOT NULL,
    elements TEXT NOT NULL,
    PRIMARY KEY (session_id, kind, number)
  ) WITHOUT ROWID;

  CREATE TABLE hidden_turns (
    session_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    turn TEXT NOT NULL,
    PRIMARY KEY (session_id, ordinal)
  ) WITHOUT ROWID;

  CREATE TABLE texts (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);

  CREATE TABLE session_texts (
    session_id INTEGER NOT NULL,
    text_id INTEGER NOT NULL,
    PRIMARY KEY (session_id, text_id)
  ) WITHOUT ROWID;
  CREATE INDEX session_texts_by_text ON session_texts (text_id);

  CREATE TABLE handles (
    tenant TEXT NOT NULL,
    handle TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    text_id INTEGER NOT NULL,
    about TEXT NOT NULL,
    PRIMARY KEY (tenant, handle, session_id)
  ) WITHOUT ROWID;
  CREATE INDEX handles_by_session ON handles (session_id);

  CREATE TABLE receipts (
    sequence INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    pack_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    head TEXT NOT NULL,
    manifest TEXT NOT NULL,
    input TEXT
  );
  CREATE UNIQUE INDEX receipts_by_request ON receipts (tenant, request_id);
  CREATE INDEX receipts_by_pack ON receipts (tenant, pack_id);
  CREATE INDEX receipts_by_session ON receipts (session_id);

  CREATE TABLE results (sequence INTEGER PRIMARY KEY, result TEXT NOT NULL);
  `,
  // What a session had as a flag and a table becomes a list of tools and a list kept as fragments (of kind 4).
  `
  ALTER TABLE sessions ADD COLUMN offered_tools TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE sessions ADD COLUMN overlay TEXT NOT NULL DEFAULT '[]';
  UPDATE sessions SET offered_tools = '["rehydrate"]' WHERE tool_offered = 1;
  INSERT INTO fragments (session_id, kind, number, elements)
    SELECT session_id, 4, 0, json_group_array(json_object('kind', 'hidden-turn', 'turn', json(turn)))
    FROM (SELECT session_id, turn FROM hidden_turns ORDER BY session_id, ordinal) GROUP BY session_id;
  UPDATE sessions SET overlay = (SELECT json_array(0, count(*)) FROM hidden_turns WHERE session_id = sessions.id)
    WHERE id IN (SELECT session_id FROM hidden_turns);
  ALTER TABLE sessions DROP COLUMN tool_offered;
  DROP TABLE hidden_turns;
  `,
  // With it a receipt can make its request's bytes again.
  'ALTER TABLE receipts ADD COLUMN request TEXT',
  // A row of its own: a session's own row is long and is not written with each result.
  `
  CREATE TABLE costs (
    session_id INTEGER PRIMARY KEY,
    requests INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    pass_through_tokens INTEGER NOT NULL,
    usd REAL NOT NULL,
    pass_through_usd REAL NOT NULL
  );
  `,
  // What requests came to by hours, which outlives them; and what lists are read and filtered by.
  `
  CREATE TABLE rollups (
    tenant TEXT NOT NULL,
    hour_ms INTEGER NOT NULL,
    model TEXT NOT NULL,
    policy TEXT NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (tenant, hour_ms, model, policy)
  ) WITHOUT ROWID;

  ALTER TABLE receipts ADD COLUMN model TEXT;
  ALTER TABLE receipts ADD COLUMN policy TEXT;
  UPDATE receipts SET model = head ->> '$.model', policy = manifest ->> '$.policyId',
    head = json_set(head, '$.policyId', manifest ->> '$.policyId');
  CREATE INDEX receipts_listed ON receipts (tenant, sequence, created_ms, model, policy);

  ALTER TABLE results ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
  UPDATE results SET failed = 1 WHERE result ->> '$.status' >= 400 OR result ->> '$.status' = 0
    OR ifnull(result ->> '$.failure', 'client-gone') <> 'client-gone';
  CREATE INDEX results_failed ON results (sequence) WHERE failed = 1;

  CREATE INDEX sessions_listed ON sessions (tenant, used_ms, name);
  `,
  // What was counted before was measured against requests with our cache marks: no saving by marks is known of it.
  `
  ALTER TABLE costs ADD COLUMN client_usd REAL NOT NULL DEFAULT 0;
  ALTER TABLE costs ADD COLUMN observed_usd REAL NOT NULL DEFAULT 0;
  ALTER TABLE costs ADD COLUMN if_on_usd REAL NOT NULL DEFAULT 0;
  ALTER TABLE costs ADD COLUMN if_on_pass_through_usd REAL NOT NULL DEFAULT 0;
  UPDATE costs SET client_usd = pass_through_usd;
  UPDATE rollups SET figures = json_set(figures, '$.clientUsd', figures -> '$.passThroughUsd');
  `,
  // What the sessions of a tenant came to with each model, which outlives them.
  `
  CREATE TABLE tenant_accounts (
    tenant TEXT NOT NULL,
    model TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    pass_through REAL NOT NULL,
    saved REAL NOT NULL,
    lent REAL NOT NULL,
    fetched REAL NOT NULL,
    PRIMARY KEY (tenant, model)
  ) WITHOUT ROWID;
  `,
  // From here on each table brings its own statements, and its version stands here.
  'CREATE TABLE table_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID',
  // Documents are indexed when they are first searched. The index holds no text, so it is small.
  `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    number INTEGER NOT NULL,
    UNIQUE (session_id, kind, number)
  );
  CREATE VIRTUAL TABLE document_terms USING fts5(place, terms, content='', contentless_delete=1, detail=column);
  `,
]

/** What is worked out of the rows when a version's statements have run. */
const workedOut: Readonly<Record<number, (db: DatabaseSync) => void>> = { 5: countReceipts }

/** Brings a database to the newest schema. Refuses one that a newer version wrote. */
export function migrate(db: DatabaseSync, tables: TableSet): void {
  const found = requireKnown(db, tables)
  for (const [index, statements] of migrations.entries()) {
    if (index >= found) applyMigration(db, statements, databaseVersion(db, index + 1))
  }
  for (const { name, sqlite } of tables.all) {
    for (const [index, statements] of (sqlite.migrations ?? []).entries())
      applyMigration(db, statements, tableVersion(db, name, index + 1))
  }
}

/** The schema of a database. Throws where a newer version has written it. */
export function requireKnown(db: DatabaseSync, tables: TableSet): number {
  const found = schemaVersion(db)
  if (found > migrations.length)
    throw new Error(`the database has schema ${found}, this version knows ${migrations.length}`)
  if (found < migrations.length) return found
  for (const { name, sqlite } of tables.all) {
    const [version, known] = [versionOf(db, name), sqlite.migrations?.length ?? 0]
    if (version > known) throw new Error(`its table ${name} has schema ${version}, this version knows ${known}`)
  }
  return found
}

/** Throws when a database that is not empty holds nothing of ours: what another program keeps is not touched. */
export function refuseForeign(db: DatabaseSync): void {
  const tables = db.prepare("SELECT count(*) AS all_tables, total(name = 'receipts') AS ours FROM sqlite_master").get()
  const isForeign = Number(tables?.['all_tables']) > 0 && Number(tables?.['ours']) === 0
  if (isForeign) throw new Error('the file is a database of another program')
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

function versionOf(db: DatabaseSync, table: string): number {
  return Number(db.prepare('SELECT version FROM table_versions WHERE name = ?').get(table)?.['version'] ?? 0)
}

/** A version that a migration leads to. */
interface Version {
  isReached(): boolean
  note(): void
}

function databaseVersion(db: DatabaseSync, version: number): Version {
  return {
    isReached: () => schemaVersion(db) >= version,
    note() {
      workedOut[version]?.(db)
      db.exec(`PRAGMA user_version = ${version}`)
    },
  }
}

function tableVersion(db: DatabaseSync, table: string, version: number): Version {
  return {
    isReached: () => versionOf(db, table) >= version,
    note: () =>
      void db.prepare('INSERT OR REPLACE INTO table_versions (name, version) VALUES (?, ?)').run(table, version),
  }
}

/** In one transaction with its version number: a process killed here starts again from the version before. */
function applyMigration(db: DatabaseSync, statements: string, version: Version): void {
  if (version.isReached()) return
  db.exec('BEGIN IMMEDIATE')
  try {
    if (!version.isReached()) {
      db.exec(statements)
      version.note()
    }
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}
