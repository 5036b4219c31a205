import type { Table } from '../../kernel/table.ts'
import { artifactColumns, artifactRow } from './artifact-rows.ts'
import type { ArtifactTypes } from './artifact.ts'
import { memoryArtifacts } from './memory-artifacts.ts'
import { postgresArtifacts } from './postgres-artifacts.ts'
import { sqliteArtifacts } from './sqlite-artifacts.ts'

/**
 * Artifacts: names of bytes, all versions of each. A second list has the hashes of all bytes that were announced, so that bytes whose row
 * was never committed are found without a list of the blobs.
 */
export const artifactsTable: Table<'artifacts', ArtifactTypes> = {
  name: 'artifacts',
  changesSession: false,
  reads: {
    get: (tenant) => ({ tenant, session: '' }),
    byHash: (tenant) => ({ tenant, session: '' }),
    list: ({ tenant }) => ({ tenant, session: '' }),
    unnamed: () => undefined,
  },
  encode: artifactRow,
  memory: memoryArtifacts,
  sqlite: {
    migrations: [
      `CREATE TABLE artifacts (tenant TEXT NOT NULL, path TEXT NOT NULL, version INTEGER NOT NULL, sha256 TEXT NOT NULL,
        size_bytes INTEGER NOT NULL, media_type TEXT NOT NULL, created_ms INTEGER NOT NULL, class TEXT NOT NULL, hold INTEGER NOT NULL,
        session TEXT, request_id TEXT, PRIMARY KEY (tenant, path, version)) WITHOUT ROWID;
       CREATE INDEX artifacts_by_hash ON artifacts (tenant, sha256, created_ms);
       CREATE INDEX artifacts_by_age ON artifacts (class, created_ms);
       CREATE TABLE artifact_blobs (tenant TEXT NOT NULL, hash TEXT NOT NULL, announced_ms INTEGER NOT NULL, claimed INTEGER NOT NULL,
        PRIMARY KEY (tenant, hash)) WITHOUT ROWID;
       CREATE INDEX artifact_blobs_by_age ON artifact_blobs (announced_ms);`,
    ],
    open: sqliteArtifacts,
  },
  postgres: postgresArtifacts,
  relations: [
    { name: 'artifacts', columns: artifactColumns.split(', '), key: ['tenant', 'path', 'version'], of: 'tenant' },
    {
      name: 'artifact_blobs',
      columns: ['tenant', 'hash', 'announced_ms', 'claimed'],
      key: ['tenant', 'hash'],
      of: 'tenant',
    },
  ],
}
